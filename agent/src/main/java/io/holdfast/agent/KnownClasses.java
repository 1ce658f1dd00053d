package io.holdfast.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/// What is known of the classes that a class refers to: what they extend, and which of their fields
/// are volatile. Read from class files: nothing is loaded (see {@link ClassHierarchy}).
///
/// Facts are kept by class loader, as long as the loader is; they are some hundred bytes a class.
/// Of a class whose file is not to be found nothing is kept: a loader may get a longer class path.
///
/// Thread-safe, but for `self`, which is of one weaving.
final class KnownClasses {
  private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

  /// By loader; guarded by itself.
  private static final Map<ClassLoader, Map<String, Facts>> KNOWN = new WeakHashMap<>();

  private final Facts self;
  private final ClassLoader loader;

  /// @param fields by name and descriptor, and whether they are volatile
  private record Facts(String name, List<String> parents, Map<String, Boolean> fields) {
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
          model.thisClass().asInternalName(), List.copyOf(parents), Map.copyOf(fields));
    }
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
  }

  /// Whether a class is one of {@link CallTable}'s, or below it.
  Answer isBelow(String name, String base) {
    if (name.equals(base)) {
      return Answer.YES;
    }
    if (CallTable.isElsewhere(name)) {
      return Answer.NO;
    }
    Facts facts = find(name);
    if (facts == null) {
      return Answer.UNKNOWN;
    }
    Answer answer = Answer.NO;
    for (String parent : facts.parents()) {
      Answer found = isBelow(parent, base);
      if (found == Answer.YES) {
        return found;
      }
      answer = found == Answer.UNKNOWN ? found : answer;
    }
    return answer;
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
    ClassLoader from = name.startsWith("java/") ? JDK : loader;
    Map<String, Facts> known;
    synchronized (KNOWN) {
      known = KNOWN.computeIfAbsent(from, _ -> new ConcurrentHashMap<>());
    }
    Facts facts = known.get(name);
    if (facts == null) {
      facts = read(name, from); // calls the loader's code: not under a lock
      if (facts != null) {
        known.put(name, facts);
      }
    }
    return facts;
  }

  private static Facts read(String name, ClassLoader loader) {
    try (InputStream in = loader.getResourceAsStream(name + ".class")) {
      return in == null ? null : Facts.of(ClassFile.of().parse(in.readAllBytes()));
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }
}
