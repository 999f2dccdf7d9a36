package hourglass.store.embedded;

import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.SystemDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A disk that knows what would survive a power cut, and takes an image of that in the middle of any
 * operation. The store on it goes on undisturbed: the image is what another one is opened on.
 * Thread-safe: one operation at a time.
 */
final class PowerCutDisk implements Disk {
  private final Disk disk = new SystemDisk();
  private final Path root;
  private final DurableDir tree;
  private final Path graveyard;
  private final Random random;
  private int graves;
  private long operationsUntilCut = -1;
  private @Nullable Path image;
  private @Nullable Runnable onCut;
  private @Nullable String cutAt;
  private @Nullable AssertionError failure;

  /** Which operations fail, as "forceDirectory data" or "delete N.erasure", without an effect. */
  volatile Predicate<String> failing = operation -> false;

  /**
   * @param root a directory all of which is durable
   * @param graveyard on the same disk, for files that were deleted and may come back
   */
  PowerCutDisk(Path root, Path graveyard, Random random) throws IOException {
    this.root = root;
    this.graveyard = graveyard;
    this.random = random;
    Files.createDirectories(root);
    Files.createDirectories(graveyard);
    this.tree = DurableDir.of(root);
  }

  /** Cuts the power in the midst of the n-th operation from now. */
  synchronized void cutAfter(long operations, Path into, Runnable first) {
    operationsUntilCut = operations;
    image = into;
    onCut = first;
  }

  /** Cuts the power now, if it was not cut yet. */
  synchronized void cutNow() {
    if (failure != null) {
      throw failure;
    }
    if (cutAt == null) {
      operationsUntilCut = 0;
      tick("between operations");
    }
  }

  /** Returns the operation during which the power was cut; null before. */
  synchronized @Nullable String cutAt() {
    return cutAt;
  }

  private void tick(String operation) {
    if (cutAt != null || operationsUntilCut < 0 || operationsUntilCut-- > 0) {
      return;
    }
    cutAt = operation;
    Objects.requireNonNull(onCut).run();
    try {
      discoverAll(root, tree);
      tree.locate(root);
      tree.writeTo(Objects.requireNonNull(image), random);
    } catch (IOException | RuntimeException e) {
      failure = new AssertionError("the image of a power cut is not whole", e);
      throw failure;
    }
  }

  private static void discoverAll(Path real, DurableDir dir) throws IOException {
    dir.discover(real);
    for (Path path : DirectoryImage.folders(real)) {
      if (dir.get(path.getFileName().toString()) instanceof DurableDir below) {
        discoverAll(path, below);
      }
    }
  }

  private DurableDir dir(Path path) {
    DurableDir dir = tree;
    for (Path name : root.relativize(path)) {
      if (!name.toString().isEmpty()) {
        dir = (DurableDir) Objects.requireNonNull(dir.get(name.toString()), path::toString);
      }
    }
    return dir;
  }

  private DurableDir dirOf(Path file) {
    return dir(Objects.requireNonNull(file.getParent()));
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  @Override
  public synchronized AppendFile create(Path file) throws IOException {
    tick("before create " + kind(file));
    AppendFile made = disk.create(file);
    DurableFile node = new DurableFile(file);
    dirOf(file).put(name(file), node);
    tick("after create " + kind(file));
    return new CutFile(made, file, node);
  }

  @Override
  public synchronized AppendFile append(Path file) throws IOException {
    DurableFile node = (DurableFile) Objects.requireNonNull(dirOf(file).get(name(file)));
    return new CutFile(disk.append(file), file, node);
  }

  @Override
  public synchronized void forceDirectory(Path dir) throws IOException {
    tick("before forceDirectory");
    requireWorking("forceDirectory ", dir);
    if (dir.startsWith(root)) {
      dir(dir).discover(dir);
      dir(dir).force();
    }
    tick("after forceDirectory");
  }

  @Override
  public synchronized void createDirectories(Path dir) throws IOException {
    if (Files.isDirectory(dir)) {
      return;
    }
    createDirectories(Objects.requireNonNull(dir.getParent()));
    tick("before createDirectory");
    Files.createDirectory(dir);
    dirOf(dir).put(name(dir), new DurableDir());
    tick("after createDirectory");
    requireWorking("forceDirectory ", dir.getParent());
    dirOf(dir).force();
  }

  @Override
  public synchronized void delete(Path file) throws IOException {
    tick("before delete " + kind(file));
    requireWorking("delete ", file);
    if (!Files.exists(file)) {
      return;
    }
    dirOf(file).discover(Objects.requireNonNull(file.getParent()));
    bury(file);
    disk.delete(file);
    dirOf(file).remove(name(file));
    tick("after delete " + kind(file));
  }

  /** Keeps the content of a file that is about to go: a power cut may bring it back. */
  private void bury(Path file) throws IOException {
    if (Files.exists(file) && dirOf(file).get(name(file)) instanceof DurableFile node) {
      Path grave = graveyard.resolve(Integer.toString(graves++));
      Files.createLink(grave, file);
      node.real = grave;
    }
  }

  @Override
  public synchronized void move(Path from, Path to) throws IOException {
    tick("before move");
    bury(to);
    disk.move(from, to);
    if (dirOf(from) == dirOf(to)) {
      dirOf(from).rename(name(from), name(to));
    } else { // each folder is forced by itself, so either name may survive alone, both or none
      Object node = Objects.requireNonNull(dirOf(from).get(name(from)));
      dirOf(from).remove(name(from));
      dirOf(to).put(name(to), node);
    }
    tick("after move");
  }

  @Override
  public synchronized void link(Path existing, Path name) throws IOException {
    tick("before link");
    disk.link(existing, name);
    DurableFile node = new DurableFile(name);
    node.force(); // a link has the bytes of a file that was forced
    dirOf(name).put(name(name), node);
    tick("after link");
  }

  @Override
  public long usableBytes(Path path) {
    return Long.MAX_VALUE;
  }

  @Override
  public long totalBytes(Path path) {
    return Long.MAX_VALUE;
  }

  private void requireWorking(String operation, Path path) throws IOException {
    if (failing.test(operation + kind(path))) {
      throw new IOException("Input/output error");
    }
  }

  private static String kind(Path file) {
    return name(file).replaceAll("[0-9]+", "N");
  }

  private final class CutFile implements AppendFile {
    private final AppendFile inner;
    private final Path file;
    private final DurableFile node;

    CutFile(AppendFile inner, Path file, DurableFile node) {
      this.inner = inner;
      this.file = file;
      this.node = node;
    }

    @Override
    public long size() {
      return inner.size();
    }

    @Override
    public void lock() throws IOException {
      inner.lock(); // which no power cut leaves behind
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      synchronized (PowerCutDisk.this) {
        inner.write(bytes);
        tick("after write " + kind(file));
      }
    }

    @Override
    public void force() throws IOException {
      synchronized (PowerCutDisk.this) {
        tick("before force " + kind(file));
        if (Files.exists(file)) {
          node.real = file;
          node.force();
        }
        tick("after force " + kind(file));
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      synchronized (PowerCutDisk.this) {
        inner.truncate(size);
        tick("after truncate " + kind(file));
      }
    }

    @Override
    public void close() throws IOException {
      inner.close();
    }
  }
}
