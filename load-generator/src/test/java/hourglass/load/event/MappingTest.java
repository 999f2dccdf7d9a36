package hourglass.load.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MappingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "type  | {'type':'x','a':1}                     | x",
        "a.b   | {'a':{'b':'x','c':2}}                  | x",
        "a.b   | {'a':{'b':'x'},'a.b':'literal'}        | literal",
        "a.b   | {'a.b':'literal','a':{'b':'x'}}        | literal",
        "a.b.c | {'a':{'b.c':'x'},'a.b':{'c':'longer'}} | longer",
        "a.b.c | {'a':{'b':{'c':'x'}}}                  | x",
        "a.b   | {'a':{'b':{'c':1}}}                    | ''",
        "a.b   | {'a':'no object'}                      | ''",
        "type  | {'type':7}                             | ''",
        "type  | {'type':null}                          | ''",
        "type  | {'deep':{'type':'x'}}                  | ''",
        "type  | {'type':'caf\\u00e9'}                  | café"
      })
  void theTypeIsFoundAtItsPath(String field, String json, String type) throws IOException {
    Mapping mapping = new Mapping(field, "time", "id", null);
    assertThat(read(mapping, json).type()).isEqualTo(type);
  }

  @Test
  void idsMayBeNumbersOrTexts() throws IOException {
    assertThat(read(Mapping.DEFAULT, "{'id':5}").id()).isEqualTo("5");
    assertThat(read(Mapping.DEFAULT, "{'id':'5'}").id()).isEqualTo("5");
    assertThat(read(Mapping.DEFAULT, "{'id':true}").id()).isEmpty();
    assertThat(read(Mapping.DEFAULT, "{'id':''}").id()).isEmpty();
  }

  @Test
  void fieldsOfThePreviousEventAreForgotten() throws IOException {
    Mapping.Extractor fields = read(Mapping.DEFAULT, "{'type':'x','time':1,'id':5}");
    read(fields, "{}");
    assertThat(fields.type()).isEmpty();
    assertThat(fields.id()).isEmpty();
    assertThat(fields.ticks()).isEqualTo(JsonTimes.NONE);
  }

  @Test
  void mappingQueryOmitsDefaults() {
    assertThat(Mapping.DEFAULT.query()).isEmpty();
    assertThat(new Mapping("_path", "ts", "a&b", "x y").query())
        .isEqualTo("?type_field=_path&time_field=ts&id_field=a%26b&type=x%20y");
  }

  private static Mapping.Extractor read(Mapping mapping, String json) throws IOException {
    return read(mapping.extractor(), json);
  }

  private static Mapping.Extractor read(Mapping.Extractor fields, String json) throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(json.replace('\'', '"'))) {
      parser.nextToken();
      fields.read(parser);
    }
    return fields;
  }
}
