package hourglass.store.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * Something that happens to a data directory while nobody looks.
 *
 * @param file that it happens to, relative to the directory
 * @param offset the first byte that may be another now
 * @param what in words
 */
record Damage(String file, long offset, String what, Act act) {

  interface Act {
    void on(Path file) throws IOException;
  }

  static Damage flip(String file, long offset, int bit) {
    Act flip =
        path -> {
          byte[] was = read(path, offset, 1);
          write(path, offset, new byte[] {(byte) (was[0] ^ 1 << bit)});
        };
    return new Damage(file, offset, "bit " + bit + " flipped", flip);
  }

  static Damage zeros(String file, long offset, int length) {
    return new Damage(
        file, offset, length + " bytes zeroed", path -> write(path, offset, new byte[length]));
  }

  static Damage noise(String file, long offset, int length, Random random) {
    byte[] noise = Chance.bytes(random, length);
    return new Damage(
        file, offset, length + " bytes overwritten", path -> write(path, offset, noise));
  }

  static Damage cut(String file, long offset) {
    Act cut =
        path -> {
          try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(offset);
          }
        };
    return new Damage(file, offset, "cut", cut);
  }

  static Damage delete(String file) {
    return new Damage(file, 0, "deleted", Files::delete);
  }

  /** A folder in its place, with something in it. */
  static Damage folder(String file) {
    Act folder =
        path -> {
          deleteAll(path);
          Files.createDirectories(path.resolve("something"));
        };
    return new Damage(file, 0, "a folder", folder);
  }

  /** A file in the place of a folder. */
  static Damage file(String folder) {
    Act file =
        path -> {
          deleteAll(path);
          Files.writeString(path, "something");
        };
    return new Damage(folder, 0, "a file", file);
  }

  /** A symbolic link in its place that leads to nothing. */
  static Damage link(String file) {
    Act link =
        path -> {
          deleteAll(path);
          Files.createSymbolicLink(path, path.resolveSibling("elsewhere"));
        };
    return new Damage(file, 0, "a link that dangles", link);
  }

  /** A file or a folder that is there. */
  static Damage deleteAll(String file) {
    return new Damage(file, 0, "deleted with all in it", Damage::deleteAll);
  }

  private static void deleteAll(Path path) throws IOException {
    if (Files.exists(path)) {
      TestStore.delete(path);
    }
  }

  static Damage swap(String file, String other, Path dir) {
    Act swap =
        path -> {
          Path aside = dir.resolve("aside");
          Files.move(path, aside);
          Files.move(dir.resolve(other), path);
          Files.move(aside, dir.resolve(other), StandardCopyOption.ATOMIC_MOVE);
        };
    return new Damage(file, 0, "swapped with " + other, swap);
  }

  void in(Path dir) {
    try {
      act.on(dir.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] read(Path file, long offset, int length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(length);
      channel.read(bytes, offset);
      return bytes.array();
    }
  }

  /** Overwrites a part of a file, which keeps its length. */
  private static void write(Path file, long offset, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      int length = (int) Math.min(bytes.length, channel.size() - offset);
      channel.write(ByteBuffer.wrap(bytes, 0, length), offset);
    }
  }

  @Override
  public String toString() {
    return file + " at " + offset + ": " + what;
  }
}
