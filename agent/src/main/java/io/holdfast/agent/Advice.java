package io.holdfast.agent;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What is likely wrong in a method, seen from its class file alone.
///
/// | advice | what is seen |
/// |---|---|
/// | input or output in a section | a call of a method of the JDK's files, channels, sockets, processes or databases where a lock is held: a crash undoes the section, and not what was sent |
/// | a pause in a section | `Thread.sleep`, `join` and parking where a lock is held: nothing that the section did is durable meanwhile |
/// | a task handed over in a section | a call of an executor, or of `CompletableFuture`'s asynchronous methods, where a lock is held: a task whose code is not woven may act upon what a crash undoes |
/// | changes without a lock | two or more calls that change persistent collections where no lock is held: each is a section of its own |
/// | two stores in a section | two fields of type `Holdfast` read where a lock is held: a crash at its end may keep one store's part and not the other's |
/// | fields beside a store | fields stored to where a lock is held, in a method that changes a persistent collection there: a crash loses them, and a rollback leaves them |
///
/// What is not seen: what the called methods do, locks that the callers hold, and collections whose
/// variable is declared with an interface of the JDK's.
final class Advice {
  private static final String HOLDFAST = "Lio/holdfast/";
  private static final String STORE = HOLDFAST + "Holdfast;";
  private static final String PERSISTENT = "io/holdfast/collections/Persistent";

  private static final List<String> OUTSIDE =
      List.of(
          "java/net/",
          "java/nio/channels/",
          "java/nio/file/Files",
          "java/sql/",
          "javax/sql/",
          "java/lang/Process");

  /// Of `java.io`, what only moves bytes within memory.
  private static final Set<String> IN_MEMORY =
      Set.of(
          "java/io/ByteArrayInputStream",
          "java/io/ByteArrayOutputStream",
          "java/io/CharArrayReader",
          "java/io/CharArrayWriter",
          "java/io/StringReader",
          "java/io/StringWriter");

  private static final List<String> STREAMS =
      List.of("Stream", "Reader", "Writer", "RandomAccessFile", "Console");

  /// Classes of `java.net` that only name things.
  private static final Set<String> NAMES =
      Set.of("java/net/URI", "java/net/URL", "java/net/InetSocketAddress", "java/net/URLEncoder");

  private static final String CONCURRENT = "java/util/concurrent/";

  private static final List<String> HAND_OVERS = List.of("execute", "submit", "invoke", "schedule");

  private static final List<String> CHANGES =
      List.of(
          "add", "offer", "put", "poll", "take", "remove", "clear", "replace", "compute", "merge",
          "drain", "retain", "push", "pop");

  private final List<String> found = new ArrayList<>();
  private final Set<String> stores = new TreeSet<>();
  private final List<String> bare = new ArrayList<>();
  private final Set<String> fields = new TreeSet<>();
  private boolean storesInSection;
  private int line;

  private Advice() {}

  /// @param isSection whether all of the method's body is in a section
  /// @return a sentence for each finding, with its line where the class file has lines
  static List<String> on(MethodModel method, boolean isSection) {
    Advice advice = new Advice();
    method.code().ifPresent(code -> advice.read(code, isSection ? 1 : 0));
    return advice.found;
  }

  private void read(CodeModel code, int depth) {
    SectionDepth depths = new SectionDepth(code, depth);
    List<CodeElement> elements = code.elementList();
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof LineNumber number) {
        line = number.line();
      } else if (elements.get(i) instanceof Instruction instruction) {
        look(instruction, depths.before(i) > 0);
      }
    }
    if (bare.size() > 1) {
      found.add(
          "changes without a lock: %s. Each is a section of its own: after a crash some may have happened and others not. Do them under one lock or in Holdfast.atomically, unless the callers hold one"
              .formatted(String.join(", ", bare)));
    }
    if (stores.size() > 1) {
      found.add(
          "two stores in a section: fields=%s. Each store is atomic by itself, but a crash at the section's end may keep the one's part and undo the other's"
              .formatted(stores));
    }
    if (storesInSection && !fields.isEmpty()) {
      found.add(
          "fields beside a store in a section: fields=%s. A crash loses them and keeps what is in the store; a rollback sets the store back and not them. Make them anew from the store when it is opened, set them when nothing can fail any more, or keep them in the store"
              .formatted(fields));
    }
  }

  private void look(Instruction instruction, boolean inSection) {
    if (instruction instanceof InvokeInstruction call) {
      String owner = call.owner().asInternalName();
      String name = call.name().stringValue();
      String place = owner.replace('/', '.') + "." + name + at();
      if (inSection && isPause(owner, name)) {
        found.add(
            "a pause in a section: %s. Nothing that the section did is durable meanwhile, and who waits for its locks waits too"
                .formatted(place));
      } else if (inSection && isOutside(owner)) {
        found.add(
            "input or output in a section: %s. A crash undoes the section and not this: do it after the lock is released, or in Holdfast.onDurable"
                .formatted(place));
      } else if (inSection && isHandOver(owner, name)) {
        found.add(
            "a task handed over in a section: %s. A task whose code is not woven may act upon what a crash undoes: hand it over after the lock is released, or in Holdfast.onDurable"
                .formatted(place));
      } else if (owner.startsWith(PERSISTENT) && isChange(name)) {
        if (inSection) {
          storesInSection = true;
          return;
        }
        bare.add(owner.substring(owner.lastIndexOf('/') + 1) + "." + name + at());
      }
    } else if (instruction instanceof FieldInstruction field && inSection) {
      String name = field.owner().asInternalName().replace('/', '.') + "." + field.name();
      boolean reads = field.opcode() == Opcode.GETFIELD || field.opcode() == Opcode.GETSTATIC;
      if (reads && field.type().equalsString(STORE)) {
        stores.add(name);
      } else if (!reads && !field.type().stringValue().startsWith(HOLDFAST)) {
        fields.add(name);
      }
    }
  }

  private String at() {
    return line == 0 ? "" : " (line " + line + ")";
  }

  private static boolean isPause(String owner, String name) {
    return switch (owner) {
      case "java/lang/Thread" -> name.equals("sleep") || name.equals("join");
      case "java/util/concurrent/TimeUnit" -> name.equals("sleep");
      case "java/util/concurrent/locks/LockSupport" -> name.startsWith("park");
      default -> false;
    };
  }

  private static boolean isHandOver(String owner, String name) {
    if (!owner.startsWith(CONCURRENT)) {
      return false;
    }
    return owner.endsWith("CompletableFuture")
        ? name.endsWith("Async")
        : (owner.endsWith("Executor")
                || owner.endsWith("ExecutorService")
                || owner.endsWith("Pool"))
            && HAND_OVERS.stream().anyMatch(name::startsWith);
  }

  private static boolean isOutside(String owner) {
    if (owner.startsWith("java/io/")) {
      return !IN_MEMORY.contains(owner) && STREAMS.stream().anyMatch(owner::endsWith);
    }
    return !NAMES.contains(owner) && OUTSIDE.stream().anyMatch(owner::startsWith);
  }

  private static boolean isChange(String method) {
    return CHANGES.stream().anyMatch(method::startsWith);
  }
}
