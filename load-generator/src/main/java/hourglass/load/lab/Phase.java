package hourglass.load.lab;

/**
 * A part of a scenario with one kind of traffic.
 *
 * @param rate the events a second, at an even pace
 * @param skew the Zipf exponent of the types; with 0 all are equally frequent
 * @param amount how much there is of the twist
 */
record Phase(
    String name, double seconds, double rate, int types, double skew, Twist twist, double amount) {
  /** What is unusual about a phase. */
  enum Twist {
    NONE,

    /** A share of the events has the first type, in addition to those by the skew. */
    HOT,

    /** A share of the events is late, by up to three hours. */
    LATE,

    /** A share of the events was sent before, in the last ten seconds. */
    REPEATED,

    /**
     * All events lag, at the end of the phase by an amount of seconds. The lag changes evenly from
     * that of the phase before.
     */
    LAGGING
  }

  static Phase of(String name, double seconds, double rate, int types, double skew) {
    return new Phase(name, seconds, rate, types, skew, Twist.NONE, 0);
  }

  Phase with(Twist newTwist, double newAmount) {
    return new Phase(name, seconds, rate, types, skew, newTwist, newAmount);
  }

  /** Returns the phase with times and rates in other units. */
  Phase scaled(double secondsUnit, double rateUnit) {
    double scaledAmount = twist == Twist.LAGGING ? amount * secondsUnit : amount;
    return new Phase(
        name, seconds * secondsUnit, rate * rateUnit, types, skew, twist, scaledAmount);
  }

  double amount(Twist asked) {
    return twist == asked ? amount : 0;
  }

  long nanos() {
    return (long) (seconds * 1e9);
  }

  /** Returns the number of events, rounded so that phases keep their pace. */
  long events() {
    return Math.round(seconds * rate);
  }
}
