package hourglass.query.fair;

import com.google.common.collect.EnumMultiset;
import com.google.common.collect.Multiset;
import hourglass.query.fair.Places.Place;
import hourglass.query.fair.Places.State;
import java.util.LinkedHashSet;
import java.util.Set;

/** The places of one client. Guarded by its {@link Places}. */
final class ClientPlaces {
  /** The client, as callers name it. */
  final Object name;

  /** The places in order of arrival. */
  final Set<Place> places = new LinkedHashSet<>();

  /** The places that wait for a grant, in order of request. */
  final Set<Place> line = new LinkedHashSet<>();

  final Multiset<State> states = EnumMultiset.create(State.class);

  /** The sequence number of its last grant. */
  long turn;

  ClientPlaces(Object name) {
    this.name = name;
  }

  /** The number of its queries that have begun. */
  int begun() {
    return TakenPlaces.begun(states);
  }
}
