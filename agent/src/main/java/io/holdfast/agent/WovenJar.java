package io.holdfast.agent;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Enumeration;
import java.util.Locale;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// A copy of a jar in which the classes in scope are woven, those of other releases under
/// `META-INF/versions` and in the libraries of a Spring Boot jar or web archive too. All else is as
/// it was: order, times, comments, what is stored uncompressed, and libraries in which nothing is
/// woven.
///
/// Written beside its place and moved there when it is complete; nothing is written if a class is
/// refused.
final class WovenJar {
  private static final String META = "META-INF/";

  private final Path input;
  private final Path output;
  private final BuildWeaver weaver;
  private final boolean dropSignatures;
  private final NestedClasses nested;

  WovenJar(
      Path input, Path output, BuildWeaver weaver, boolean dropSignatures, NestedClasses nested) {
    this.input = input;
    this.output = output;
    this.weaver = weaver;
    this.dropSignatures = dropSignatures;
    this.nested = nested;
  }

  /// @throws CommandException if it is no jar, or signed
  void write() throws IOException {
    if (Files.isDirectory(output)) {
      throw CommandException.failure("-o is a directory, and a jar is woven: %s", output);
    }
    Path directory = output.toAbsolutePath().getParent();
    Files.createDirectories(directory);
    Path temporary = directory.resolve(output.getFileName() + ".woven");
    try (ZipFile jar = open(input)) {
      checkSignatures(jar, input.toString());
      try (OutputStream file = Files.newOutputStream(temporary)) {
        copy(jar, "", file);
      }
      if (weaver.isWoven()) {
        Files.move(temporary, output, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /// @throws CommandException if it is no jar
  static ZipFile open(Path input) throws IOException {
    try {
      return new ZipFile(input.toFile());
    } catch (ZipException e) {
      throw CommandException.failure(
          "neither a directory nor a jar: %s: %s", input, e.getMessage());
    }
  }

  private void checkSignatures(ZipFile jar, String name) {
    if (dropSignatures) {
      return;
    }
    Enumeration<? extends ZipEntry> entries = jar.entries();
    while (entries.hasMoreElements()) {
      String entry = entries.nextElement().getName();
      if (isSignature(entry)) {
        throw CommandException.failure(
            "%s is signed (%s), and a signature does not hold for woven classes: the JVM would"
                + " refuse them. Give --drop-signatures, and sign the copy if you need to",
            name, entry);
      }
    }
  }

  /// As `java.util.jar` has it: files of META-INF itself, by their extension or as `SIG-*`.
  private static boolean isSignature(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    if (!upper.startsWith(META) || upper.indexOf('/', META.length()) >= 0) {
      return false;
    }
    return upper.endsWith(".SF")
        || upper.endsWith(".RSA")
        || upper.endsWith(".DSA")
        || upper.endsWith(".EC")
        || upper.startsWith(META + "SIG-");
  }

  /// @param place what stands before the names of its entries when something is said of them
  private void copy(ZipFile jar, String place, OutputStream out) throws IOException {
    ZipOutputStream copy = new ZipOutputStream(out);
    copy.setComment(jar.getComment() == null ? "" : jar.getComment());
    Enumeration<? extends ZipEntry> entries = jar.entries();
    while (entries.hasMoreElements()) {
      ZipEntry entry = entries.nextElement();
      if (!isSignature(entry.getName())) {
        byte[] bytes;
        try (InputStream in = jar.getInputStream(entry)) {
          bytes = in.readAllBytes();
        }
        put(copy, entry, contentOf(entry.getName(), place, bytes));
      }
    }
    copy.finish();
  }

  private byte[] contentOf(String name, String place, byte[] bytes) throws IOException {
    if (dropSignatures && name.equalsIgnoreCase(JarFile.MANIFEST_NAME)) {
      return withoutDigests(bytes);
    }
    if (place.isEmpty() && NestedClasses.isLibrary(name)) {
      return libraryOf(name, bytes);
    }
    return weaver.weave(place + name, bytes).orElse(bytes);
  }

  /// A library in which nothing is woven stays as it is, signed or not.
  private byte[] libraryOf(String name, byte[] bytes) throws IOException {
    int before = weaver.woven();
    ByteArrayOutputStream copy = new ByteArrayOutputStream();
    try (ZipFile library = open(nested.library(name))) {
      copy(library, name + BuildWeaver.IN_JAR, copy);
      if (weaver.woven() == before) {
        return bytes;
      }
      checkSignatures(library, name);
    }
    return copy.toByteArray();
  }

  private static byte[] withoutDigests(byte[] manifest) throws IOException {
    Manifest parsed = new Manifest(new ByteArrayInputStream(manifest));
    for (Attributes attributes : parsed.getEntries().values()) {
      attributes.keySet().removeIf(key -> key.toString().endsWith("-Digest"));
    }
    parsed.getEntries().values().removeIf(Attributes::isEmpty);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    parsed.write(out);
    return out.toByteArray();
  }

  private static void put(ZipOutputStream copy, ZipEntry original, byte[] bytes)
      throws IOException {
    ZipEntry entry = new ZipEntry(original);
    if (entry.getMethod() == ZipEntry.STORED) {
      CRC32 sum = new CRC32();
      sum.update(bytes);
      entry.setCrc(sum.getValue());
      entry.setSize(bytes.length);
      entry.setCompressedSize(bytes.length);
    } else {
      entry.setCompressedSize(-1); // not known before it is written
    }
    copy.putNextEntry(entry);
    copy.write(bytes);
    copy.closeEntry();
  }
}
