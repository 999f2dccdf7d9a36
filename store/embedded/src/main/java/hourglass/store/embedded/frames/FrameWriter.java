package hourglass.store.embedded.frames;

import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.QuietClose;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * Appends groups of frames to a file. A group is valid whole or not at all. Not thread-safe.
 *
 * <p>After an {@link IOException}, the file may contain a part of a group; {@link #rollback} cuts
 * it off.
 */
public final class FrameWriter implements RecordOutput, Closeable {
  private final Disk.AppendFile file;
  private final ByteBuffer buffer;
  private long group;
  private long durableSize;

  public FrameWriter(Disk.AppendFile file, ByteBuffer staging, long nextGroup) {
    this.file = file;
    this.buffer = staging;
    this.group = nextGroup;
    this.durableSize = file.size();
    buffer.clear().position(FrameHeader.BYTES);
  }

  /** Begins a file, which is durable with its first group, or after {@link #force}. */
  public static FrameWriter begin(Disk.AppendFile file, ByteBuffer staging, FramePreamble preamble)
      throws IOException {
    preamble.write(staging.clear());
    try {
      file.write(staging.flip());
    } finally {
      // If this fails, the previous writer continues with the same memory.
      staging.clear().position(FrameHeader.BYTES);
    }
    return new FrameWriter(file, staging, preamble.firstGroup());
  }

  /** Writes the records of a group. */
  public interface Body {
    void writeTo(FrameWriter out) throws IOException;
  }

  /**
   * Appends a group of all records or none after the valid bytes of a file that has a preamble.
   *
   * @return the durable length of the file
   */
  public static long append(
      Disk disk, Path path, ByteBuffer staging, long validBytes, long group, Body body)
      throws IOException {
    Disk.AppendFile file = disk.append(path);
    try {
      if (file.size() > validBytes) { // left by a failed attempt or by a crash
        file.truncate(validBytes);
        file.force();
      }
      FrameWriter writer = new FrameWriter(file, staging, group);
      body.writeTo(writer);
      writer.endGroup();
      return writer.durableSize();
    } finally {
      QuietClose.quietly(file);
    }
  }

  /** Allocates the memory for a frame; writers of one thread can share it. */
  public static ByteBuffer staging() {
    return ByteBuffer.allocateDirect(FrameHeader.BYTES + FrameHeader.BODY_BYTES_MAX)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  public long group() {
    return group;
  }

  public long size() {
    return file.size();
  }

  public long durableSize() {
    return durableSize;
  }

  @Override
  public void putByte(int value) throws IOException {
    ensure(1).put((byte) value);
  }

  @Override
  public void putInt(int value) throws IOException {
    ensure(Integer.BYTES).putInt(value);
  }

  @Override
  public void putLong(long value) throws IOException {
    ensure(Long.BYTES).putLong(value);
  }

  @Override
  public void putBytes(byte[] bytes, int from, int length) throws IOException {
    int at = from;
    int end = from + length;
    while (at < end) {
      int part = Math.min(end - at, ensure(1).remaining());
      buffer.put(bytes, at, part);
      at += part;
    }
  }

  private ByteBuffer ensure(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      emit(false);
    }
    return buffer;
  }

  /** Ends the group, which is durable on return. */
  public void endGroup() throws IOException {
    ensure(1).put(FrameHeader.GROUP_END);
    emit(true);
    group++;
    force();
  }

  public void force() throws IOException {
    file.force();
    durableSize = file.size();
  }

  private void emit(boolean last) throws IOException {
    int length = buffer.position() - FrameHeader.BYTES;
    int crc = FrameHeader.crc(buffer, FrameHeader.BYTES, length);
    new FrameHeader(length, group, last, crc).write(buffer, 0);
    file.write(buffer.flip());
    buffer.clear().position(FrameHeader.BYTES);
  }

  /** Drops an unfinished group, also from the disk. */
  public void rollback() throws IOException {
    buffer.clear().position(FrameHeader.BYTES);
    file.truncate(durableSize);
    file.force();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
