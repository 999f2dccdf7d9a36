package hourglass.config.gate;

import io.netty.util.NetUtil;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * A range of IP addresses that begin with the same bits, such as {@code 10.0.0.0/8}. Immutable.
 *
 * @param addressBytes 4 or 16
 * @param freeBits the number of bits after the prefix
 */
public record AddressRange(String text, int addressBytes, int freeBits, BigInteger prefix) {
  static final int IPV4_BYTES = 4;
  static final int IPV6_BYTES = 16;

  /**
   * Reads an address or a CIDR range.
   *
   * @throws IllegalArgumentException if the text is neither, or has bits set after its prefix
   */
  public static AddressRange parse(String text) {
    String[] parts = text.split("/", 2);
    byte[] first = address(parts[0]);
    if (first == null) {
      throw new IllegalArgumentException(text + ": not an address");
    }
    int all = 8 * first.length;
    int freeBits = parts.length == 1 ? 0 : all - bits(parts[1], all);
    BigInteger number = new BigInteger(1, first);
    BigInteger prefix = number.shiftRight(freeBits);
    if (!prefix.shiftLeft(freeBits).equals(number)) {
      throw new IllegalArgumentException(text + ": bits are set behind the prefix");
    }
    return new AddressRange(text, first.length, freeBits, prefix);
  }

  private static int bits(String text, int most) {
    int bits = text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
    if (bits < 0 || bits > most) {
      throw new IllegalArgumentException("/" + text + ": want 0 to " + most);
    }
    return bits;
  }

  /** Returns whether an address of 4 or 16 bytes is in the range. */
  boolean contains(byte[] address) {
    return address.length == addressBytes
        && new BigInteger(1, address).shiftRight(freeBits).equals(prefix);
  }

  /**
   * Reads an address. A zone and brackets are ignored. Returns 16 bytes, or 4 for an IPv4 address,
   * even if it is written as IPv6, or null if the text is not an address.
   */
  static byte @Nullable [] address(String text) {
    String bare =
        text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    int zone = bare.indexOf('%');
    byte[] bytes =
        NetUtil.createByteArrayFromIpAddressString(zone < 0 ? bare : bare.substring(0, zone));
    return bytes == null ? null : unmapped(bytes).getAddress();
  }

  /** Returns the one text form of an address. */
  static String text(byte[] address) {
    return NetUtil.toAddressString(unmapped(address));
  }

  /** Returns the address. The JDK makes an IPv4 address of ::ffff:1.2.3.4. */
  private static InetAddress unmapped(byte[] address) {
    try {
      return InetAddress.getByAddress(address);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // thrown only for another number of bytes
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
