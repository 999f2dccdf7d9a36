package hourglass.query.where;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.List;

enum Comparison {
  EQUAL("_==_"),
  UNEQUAL("_!=_"),
  LESS("_<_"),
  AT_MOST("_<=_"),
  GREATER("_>_"),
  AT_LEAST("_>=_");

  static final ImmutableMap<String, Comparison> BY_FUNCTION =
      Maps.uniqueIndex(List.of(values()), comparison -> comparison.function);

  private final String function;

  Comparison(String function) {
    this.function = function;
  }

  Comparison flipped() {
    return switch (this) {
      case EQUAL, UNEQUAL -> this;
      case LESS -> GREATER;
      case AT_MOST -> AT_LEAST;
      case GREATER -> LESS;
      case AT_LEAST -> AT_MOST;
    };
  }

  boolean isOrder() {
    return this != EQUAL && this != UNEQUAL;
  }

  String function() {
    return function;
  }

  int outcomes(int compared) {
    return Outcomes.of(
        switch (this) {
          case EQUAL -> compared == 0;
          case UNEQUAL -> compared != 0;
          case LESS -> compared < 0;
          case AT_MOST -> compared <= 0;
          case GREATER -> compared > 0;
          case AT_LEAST -> compared >= 0;
        });
  }

  boolean holds(int compared) {
    return compared == Numbers.NO_ORDER ? this == UNEQUAL : outcomes(compared) == Outcomes.TRUE;
  }

  /** The outcome for values of different kinds, which are unequal and have no order. */
  int ofDifferentKinds() {
    return isOrder() ? Outcomes.ERROR : Outcomes.of(this == UNEQUAL);
  }
}
