package hourglass.program.http;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Lines that are no events, each with a part of the reason that is given. A quote is written as an
 * apostrophe.
 */
final class BadEvents {
  private BadEvents() {}

  static Stream<Arguments> all() {
    return Stream.of(
        // not JSON
        arguments("nope", "event: not JSON at byte 1 of it: want null"),
        arguments("{type:'b'}", "event: not JSON at byte 1 of it: want a key"),
        arguments("{'type':'b','n':01}", "event: not JSON at byte 17 of it: want a comma or }"),
        arguments("{'type':'b','n':}", "event: not JSON at byte 16 of it: want a value"),
        arguments("{'type':'b','n':'\\x'}", "event: not JSON at byte 18 of it: want an escape"),
        arguments("{'type':'b','n':'\t'}", "at byte 17 of it: want the rest of a string"),
        arguments("{'type':'b'} {}", "event: not JSON at byte 13 of it: want the end of the line"),
        // truncated
        arguments("{'type':'b','n", "event: not JSON at byte 14 of it: ends too early"),
        arguments("{'type':'b'", "byte 11 of it: ends too early, want a comma or }"),
        // not an object
        arguments("[]", "event: not a JSON object: []"),
        arguments("[{'type':'b'}]", "event: not a JSON object: [{'type':'b'}]"),
        arguments("7", "event: not a JSON object: 7"),
        arguments("'text'", "event: not a JSON object: 'text'"),
        arguments("null", "event: not a JSON object: null"),
        // type
        arguments("{'type':null}", "type: not a string: null (field 'type')"),
        arguments("{'type':7}", "type: not a string: 7 (field 'type')"),
        arguments("{'type':['b']}", "type: not a string: ['b'] (field 'type')"),
        arguments("{'type':''}", "type: empty, want 1 to 256 bytes"),
        arguments("{'type':'" + "x".repeat(2048) + "'}", "type: 2048 bytes, at most 256"),
        arguments("{'type':'" + "ü".repeat(129) + "'}", "type: 258 bytes, at most 256"),
        arguments("{'type':'\\ud800'}", "type: half a surrogate pair, want UTF-8"),
        // duplicate keys of fields that count
        arguments("{'type':'b','type':'c'}", "field: 'type' occurs twice"),
        arguments("{'type':'b','\\u0074ype':'c'}", "field: 'type' occurs twice"),
        arguments("{'type':'b','time':1,'time':2}", "field: 'time' occurs twice"),
        arguments("{'type':'b','id':1,'id':1}", "field: 'id' occurs twice"),
        // time
        arguments("{'type':'b','time':'yesterday'}", "time: not a time: 'yesterday'"),
        arguments("{'type':'b','time':'2026-11-20'}", "time: not a time: '2026-11-20'"),
        arguments(
            "{'type':'b','time':'2026-11-20T08:00:00'}", "; it has no zone; want one, such as Z"),
        arguments("{'type':'b','time':'2026-02-30T08:00:00Z'}", "time: not a time: '2026-02-30"),
        arguments("{'type':'b','time':true}", "time: not a time: true"),
        arguments("{'type':'b','time':{}}", "time: not a time: {}"),
        arguments("{'type':'b','time':''}", "time: not a time: ''"),
        // time out of range
        arguments("{'type':'b','time':0}", "time: 0 is outside 2000-2099"),
        arguments("{'type':'b','time':-1}", "time: -1 is outside 2000-2099"),
        arguments("{'type':'b','time':1e30}", "time: 1e30 is outside 2000-2099"),
        arguments("{'type':'b','time':4102444800}", "time: 4102444800 is outside 2000-2099"),
        arguments("{'type':'b','time':'1999-12-31T23:59:59.999Z'}", "is outside 2000-2099"),
        arguments(
            "{'type':'b','time':'2099-12-31T00:00:00Z'}", "; want at most 10 min ahead of now"),
        // too large, too deep
        arguments("{'type':'b','n':'" + "x".repeat(4078) + "'}", "event: 4097 bytes, at most 4096"),
        arguments(
            "{'type':'b','n':" + "[".repeat(64) + "]".repeat(64) + "}",
            "event: nested deeper than 64 levels"),
        arguments("[".repeat(30_000), "event: not JSON at byte 30000 of it: ends too early"),
        // not UTF-8
        arguments("{'type':'b','n':'\u00ff'}", "event: not UTF-8 at byte 17 of it"),
        arguments("{'type':'b','n':'\u00c0\u0080'}", "event: not UTF-8 at byte 17 of it"),
        arguments("{'type':'b','n':'\u00ed\u00a0\u0080'}", "event: not UTF-8 at byte 17 of it"),
        arguments("{'type':'\u00ff'}", "event: not UTF-8 at byte 9 of it"));
  }
}
