package io.holdfast.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver.ClassHierarchyInfo;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/// What is known of the classes that a class refers to: what they extend, and which of their fields
/// are volatile. Read from class files: nothing is loaded (see {@link ClassHierarchy}).
///
/// Facts are kept by class loader, as long as the loader is; they are some hundred bytes a class.
/// What a class says of itself when it is woven is kept too, so that its file is not read again for
/// others. Of a class whose file is not to be found nothing is kept: a loader may get a longer
/// class path.
///
/// What is kept by loader is thread-safe; the rest is of one weaving, and confined to its thread.
final class KnownClasses {
  private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

  /// What most of the JDK's classes are in. It hands out its files without the detour of an URL.
  private static final Module JAVA_BASE = Object.class.getModule();

  /// By loader; guarded by itself.
  private static final Map<ClassLoader, Map<String, Facts>> KNOWN = new WeakHashMap<>();

  private static final Map<String, Facts> KNOWN_OF_JDK = new ConcurrentHashMap<>();

  private final Facts self;
  private final ClassLoader loader;

  /// Of the loader.
  private final Map<String, Facts> known;

  /// By name: the methods of a class are called again and again.
  private final Map<String, Above> above = new HashMap<>();

  /// Asked for by {@link #place}, and not to be found.
  private final Set<String> lacking = new TreeSet<>();

  /// @param fields by name and descriptor, and whether they are volatile
  private record Facts(
      String name, List<String> parents, Map<String, Boolean> fields, ClassHierarchyInfo place) {
    static Facts of(ClassModel model) {
      List<String> parents = new ArrayList<>();
      model.superclass().map(ClassEntry::asInternalName).ifPresent(parents::add);
      model.interfaces().forEach(each -> parents.add(each.asInternalName()));
      Map<String, Boolean> fields = new HashMap<>();
      for (FieldModel field : model.fields()) {
        fields.put(
            field.fieldName().stringValue() + ':' + field.fieldType().stringValue(),
            field.flags().has(AccessFlag.VOLATILE));
      }
      return new Facts(
          model.thisClass().asInternalName(),
          List.copyOf(parents),
          Map.copyOf(fields),
          placeOf(model));
    }

    private static ClassHierarchyInfo placeOf(ClassModel model) {
      return model.flags().has(AccessFlag.INTERFACE)
          ? ClassHierarchyInfo.ofInterface()
          : ClassHierarchyInfo.ofClass(model.superclass().map(ClassEntry::asSymbol).orElse(null));
    }
  }

  /// The names of classes that {@link #place} was asked for, whose files are not to be found.
  Set<String> lacking() {
    return lacking;
  }

  /// What is found out about something.
  enum Answer {
    YES,
    NO,
    /// A class file that would tell is not to be found.
    UNKNOWN
  }

  /// What a field is.
  ///
  /// @param owner the class that declares it, as far as is known
  record Field(Answer isVolatile, String owner) {}

  /// @param loader of the class; `null` for the boot loader
  KnownClasses(ClassModel self, ClassLoader loader) {
    this.self = Facts.of(self);
    this.loader = loader == null ? JDK : loader;
    synchronized (KNOWN) {
      known = KNOWN.computeIfAbsent(this.loader, _ -> new ConcurrentHashMap<>());
    }
    if (!(loader instanceof ClassPathLoader files && files.has(this.self.name()))) {
      known.put(this.self.name(), this.self);
    } // else it may be of another release than the one that others see
  }

  /// Whether it is the class itself, whose own fields alone its constructors can assign before they
  /// call another one.
  boolean isSelf(String name) {
    return name.equals(self.name());
  }

  /// What the verifier's types need to know of a class; `null` if its file is not to be found.
  ClassHierarchyInfo place(String name) {
    Facts facts = find(name);
    if (facts == null) {
      lacking.add(name.replace('/', '.'));
      return null;
    }
    return facts.place();
  }

  /// Whether a class is one of {@link CallTable}'s, or below it.
  Answer isBelow(String name, String base) {
    if (name.equals(base)) {
      return Answer.YES;
    }
    if (CallTable.isElsewhere(name)) {
      return Answer.NO;
    }
    Above above = this.above.get(name);
    if (above == null) {
      above = new Above();
      above.add(name, this);
      this.above.put(name, above);
    }
    if (above.names.contains(base)) {
      return Answer.YES;
    }
    return above.complete ? Answer.NO : Answer.UNKNOWN;
  }

  /// Whether objects of a class may be serialized with a version that is computed of the class: not
  /// those of enums and records. A class that is not to be found may say so.
  boolean maySerialize(String name) {
    if (name.equals("java/io/Serializable")) {
      return true;
    }
    if (List.of("java/lang/Object", "java/lang/Enum", "java/lang/Record").contains(name)) {
      return false;
    }
    Facts facts = find(name);
    return facts == null || facts.parents().stream().anyMatch(this::maySerialize);
  }

  /// A class and all above it, but for what is above those of the JDK's that don't matter here.
  private static final class Above {
    private final Set<String> names = new HashSet<>();
    private boolean complete = true;

    void add(String name, KnownClasses classes) {
      if (!names.add(name) || CallTable.isElsewhere(name)) {
        return;
      }
      Facts facts = classes.find(name);
      if (facts == null) {
        complete = false;
        return;
      }
      for (String parent : facts.parents()) {
        add(parent, classes);
      }
    }
  }

  /// Looks a field up as the JVM does, but for the order of interfaces, whose fields are never
  /// volatile.
  Field field(String owner, String name, String descriptor) {
    for (String at = owner; at != null; ) {
      Facts facts = find(at);
      if (facts == null) {
        return new Field(Answer.UNKNOWN, owner);
      }
      Boolean found = facts.fields().get(name + ':' + descriptor);
      if (found != null) {
        return new Field(found ? Answer.YES : Answer.NO, at);
      }
      at = facts.parents().isEmpty() ? null : facts.parents().getFirst();
    }
    return new Field(Answer.NO, owner); // an interface's, or one that the JVM won't find either
  }

  private Facts find(String name) {
    if (name.equals(self.name())) {
      return self;
    }
    boolean isJdk = name.startsWith("java/");
    Map<String, Facts> place = isJdk ? KNOWN_OF_JDK : known;
    Facts facts = place.get(name);
    if (facts == null) {
      facts = isJdk ? readOfJdk(name) : read(name, loader); // the loader's code: not under a lock
      if (facts != null) {
        place.put(name, facts);
      }
    }
    return facts;
  }

  private static Facts readOfJdk(String name) {
    try {
      Facts facts = parse(JAVA_BASE.getResourceAsStream(name + ".class"));
      return facts == null ? read(name, JDK) : facts;
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }

  /// The loader may be the program's own, and throw what it likes: then the file is not to be
  /// found.
  private static Facts read(String name, ClassLoader loader) {
    try {
      return parse(loader.getResourceAsStream(name + ".class"));
    } catch (IOException | RuntimeException | LinkageError e) {
      return null;
    }
  }

  /// @param file `null` if there is none
  private static Facts parse(InputStream file) throws IOException {
    try (file) {
      return file == null ? null : Facts.of(ClassFile.of().parse(file.readAllBytes()));
    }
  }
}
