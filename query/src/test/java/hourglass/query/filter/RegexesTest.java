package hourglass.query.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;
import hourglass.query.where.Payloads;
import hourglass.query.where.Where;
import hourglass.query.where.WhereException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegexesTest {

  @Test
  void anExpressionIsCompiledOnce() {
    assertThat(constant("^once$")).isSameAs(constant("^once$"));
  }

  private static Pattern constant(String regex) {
    return new Regexes.Allowance().constant(regex);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^\\p{L}[\\p{L}\\p{N}_]{0,40}$",
        "[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}",
        "(?i)error|timed? ?out|(ssl|tls) handshake",
        "(?i)^[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,63}\\.[a-z]{2,}$",
        "(?i)[à-ÿ]+|straße|σίσυφος|\\p{Cyrillic}+",
        "^(25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$",
        "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$",
      })
  void usualExpressionsAreAccepted(String regex) {
    assertThat(constant(regex)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "(                              ; 1    ; is no regular expression: missing closing )",
        "\\pL                           ; 1300 ; whose classes such as",
        "\\PL                           ; 150  ; whose classes such as",
        "[^\\p{Greek}]                  ; 150  ; whose classes such as",
        "(?:\\pL{10}){16}               ; 1    ; whose classes such as",
        "\\pL{600}                      ; 1    ; whose classes such as",
        "(((x{100}){100}){100}){100}    ; 1    ; that repeats its parts up to",
        "(x{99}){99}                    ; 3    ; that repeats its parts up to",
        "x{999999999}                   ; 1    ; that repeats its parts up to",
        "x                              ; 501  ; instructions, want at most 500",
        "(                              ; 300  ; of more than 250 groups",
        // Behind an empty quote a repeat applies to the repeat before it.
        "x{100}\\Q\\E{100}\\Q\\E{100}\\Q\\E{100} ; 1 ; that repeats its parts up to",
        "x{100}\\Q\\E\\Q\\E{100}\\Q\\E{9,} ; 1 ; that repeats its parts up to",
        "\\pL{16}\\Q\\E{10}              ; 1    ; whose classes such as",
        "x*\\Q\\E+\\Q\\E                ; 300  ; of more than 250 groups and quotes",
        // The library would never return.
        "(?i)\\x{1c80}                  ; 1    ; disregards the case of U+1C80",
        "a(?s-i:(?i:b[\\x{1c7f}-\\x{1c90}])) ; 1 ; disregards the case of U+1C80",
        "(?i)[^\u1c88]                  ; 1    ; disregards the case of U+1C80",
        "\u1c84(?i)x                    ; 1    ; disregards the case of U+1C80",
        "(?i)[\\n-\\x{ffff}]            ; 1    ; disregards the case of U+1C80",
        "(?i)[--\\x{2fff}]              ; 1    ; disregards the case of U+1C80",
        "(?i)[\\--\\x{2fff}]            ; 1    ; disregards the case of U+1C80",
        "(?i)[]-\\x{2fff}]              ; 1    ; disregards the case of U+1C80",
        "(?i)[\\101-\\x{2fff}]          ; 1    ; disregards the case of U+1C80",
        "(?i)[\\x{2fff}-\\x{10ffff}]    ; 4    ; whose classes such as",
      })
  void largeExpressionsAreRefusedBeforeCompilation(String part, int times, String why) {
    assertThatThrownBy(() -> constant(part.repeat(times)))
        .isInstanceOf(Regexes.RefusedRegexException.class)
        .hasMessageContaining(why);
  }

  @Test
  void expressionsOfAFilterAreBoundedTogether() {
    Regexes.Allowance allowance = new Regexes.Allowance();
    allowance.constant("\\pL{80}a");
    assertThatThrownBy(() -> allowance.constant("\\pL{80}b")).hasMessageContaining("classes");
  }

  /** A payload must not break off a query, so it is an error of that event. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a+b       ; 1     ; true",
        "\\\\pL    ; 1     ; true",
        "\\\\pL    ; 8     ; false",
        "\\\\pL    ; 66000 ; false",
        "a?        ; 90    ; false",
        "a|        ; 50    ; true",
        "b|        ; 101   ; false",
        "(a{9}){9} ; 1     ; false",
        "(?i)\\\\x{1c80} ; 1 ; false",
        "(         ; 1     ; false",
      })
  void expressionsFromPayloadsAreBounded(String part, int times, boolean fits) {
    String payload = "{\"s\":\"aab\",\"r\":\"" + part.repeat(times) + "\"}";
    for (int look = 0; look < 2; look++) {
      assertThat(Payloads.matches("data.s.matches(data.r)", payload)).isEqualTo(fits);
      assertThat(Payloads.matches("['aab'].exists(s, s.matches(data.r + ''))", payload))
          .isEqualTo(fits);
    }
    assertThat(Payloads.matches("data.s.matches(data.r) || true", payload)).isTrue();
  }

  @Test
  void searchesOfLongTextsAreBoundedBySteps() {
    String text = "{\"s\":\"" + "a".repeat(1_000_000) + "\"}";
    assertThat(Payloads.matches("data.s.matches('b')", text)).isFalse();
    assertThat(Payloads.matches("data.s.matches('[ab]{20}c')", text)).isFalse();
    assertThat(Payloads.matches("data.s.matches('^a{3}') && 'x'.matches('x')", text)).isTrue();
    for (String where :
        new String[] {
          "data.s.matches('(a?){100}b')",
          "data.s.matches('(a?){100}b') || data.absent == 1",
          "(data.s + '').matches('(a?){100}b') && [1].exists(n, n > 1)",
          "data.absent == 1 || [1, 2].exists(n, data.s.matches('(a?){20}b'))",
        }) {
      assertThatThrownBy(() -> Payloads.matches(where, text))
          .as(where)
          .isInstanceOf(WhereException.class)
          .hasMessageContaining("takes more than 33554432 steps");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data.s.matches('(a?){30}b')",
        "[1].exists(n, (data.s + '').matches('(a?){30}b'))",
        "data.l.exists(n, data.s.contains(data.t))",
        "data.l.exists(n, size(data.s) == n)",
        "data.l.exists(n, data.m == data.l)",
        "data.l.exists(n, n == 0.5 && data[data.s] == 1 || timestamp(data.s) == time)",
        "data.absent == 'x' || data.s.contains('aaaaaaaaaaaaaaaaaaaaaaaaab')",
      })
  void aCancelledSearchStopsSoon(String where) {
    String payload =
        "{\"s\":\"%s\",\"t\":\"%sb\",\"l\":[%s1],\"m\":[%s2]}"
            .formatted(
                "a".repeat(800_000), "a".repeat(80_000), "0,".repeat(9000), "0,".repeat(9000));
    AtomicInteger looks = new AtomicInteger();
    assertThatThrownBy(
            () ->
                Where.compile(where)
                    .matches(
                        Payloads.of(List.of(payload)), 0, "a", () -> looks.incrementAndGet() == 3))
        .isInstanceOf(CancellationException.class);
    assertThat(looks).hasValue(3);
  }

  /** These are the letters that {@link RegexSize} refuses. */
  @Test
  void onlyTheRefusedLettersAreFoldedWronglyByTheLibrary() throws ReflectiveOperationException {
    Method fold =
        Class.forName("com.google.re2j.Unicode").getDeclaredMethod("simpleFold", int.class);
    fold.setAccessible(true);
    for (int letter = 0; letter <= Character.MAX_CODE_POINT; letter++) {
      int next = (int) fold.invoke(null, letter);
      for (int steps = 0; next != letter && steps < 10; steps++) {
        next = (int) fold.invoke(null, next);
      }
      assertThat(next == letter)
          .as(Integer.toHexString(letter))
          .isEqualTo(letter < 0x1c80 || letter > 0x1c88);
    }
  }
}
