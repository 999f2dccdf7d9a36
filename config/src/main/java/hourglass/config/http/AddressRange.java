package hourglass.config.http;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** IP addresses that begin with the same bits, as in {@code 10.0.0.0/8}. Immutable. */
public final class AddressRange {
  static final int IPV4_BYTES = 4;
  static final int IPV6_BYTES = 16;
  private static final int MAPPED_PREFIX_BYTES = 12;

  private final byte[] first;
  private final int bits;
  private final String text;

  private AddressRange(byte[] first, int bits, String text) {
    this.first = first;
    this.bits = bits;
    this.text = text;
  }

  /**
   * Reads an address or a CIDR range.
   *
   * @throws IllegalArgumentException where it is neither, or has bits set behind its prefix
   */
  public static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    byte[] first = address(slash < 0 ? text : text.substring(0, slash));
    if (first == null) {
      throw new IllegalArgumentException(text + ": not an address");
    }
    int all = 8 * first.length;
    int bits = slash < 0 ? all : bits(text.substring(slash + 1), all);
    AddressRange range = new AddressRange(first, bits, text);
    for (int bit = bits; bit < all; bit++) {
      if ((first[bit / 8] & 0x80 >> bit % 8) != 0) {
        throw new IllegalArgumentException(text + ": bits are set behind the prefix");
      }
    }
    return range;
  }

  private static int bits(String text, int most) {
    int bits = text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
    if (bits < 0 || bits > most) {
      throw new IllegalArgumentException("/" + text + ": want 0 to " + most);
    }
    return bits;
  }

  /** The address has 4 or 16 bytes. */
  boolean contains(byte[] address) {
    if (address.length != first.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit += 8) {
      int mask = bits - bit >= 8 ? 0xff : 0xff00 >> bits - bit;
      if (((address[bit / 8] ^ first[bit / 8]) & mask & 0xff) != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * 4 bytes, also of an IPv4 address written as IPv6, or 16; null where it is none. A zone and
   * brackets are left out.
   */
  static byte @Nullable [] address(String text) {
    String bare =
        text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    int zone = bare.indexOf('%');
    byte[] bytes =
        NetUtil.createByteArrayFromIpAddressString(zone < 0 ? bare : bare.substring(0, zone));
    return bytes == null ? null : unmapped(bytes);
  }

  private static byte[] unmapped(byte[] bytes) {
    try {
      // The JDK makes an IPv4 address of ::ffff:1.2.3.4.
      return InetAddress.getByAddress(bytes).getAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // only for another number of bytes
    }
  }

  /** Each address has one form only. */
  static String text(byte[] address) {
    if (address.length == IPV6_BYTES) {
      boolean mapped = address[10] == -1 && address[11] == -1;
      for (int i = 0; i < MAPPED_PREFIX_BYTES - 2; i++) {
        mapped &= address[i] == 0;
      }
      if (mapped) {
        byte[] last = new byte[IPV4_BYTES];
        System.arraycopy(address, MAPPED_PREFIX_BYTES, last, 0, IPV4_BYTES);
        return text(last);
      }
    }
    try {
      return NetUtil.toAddressString(InetAddress.getByAddress(address));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // only for another number of bytes
    }
  }

  @Override
  public String toString() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AddressRange range && text.equals(range.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }
}
