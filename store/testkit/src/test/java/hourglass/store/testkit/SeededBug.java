package hourglass.store.testkit;

import hourglass.bucketing.Hour;
import hourglass.store.ColumnRange;
import hourglass.store.CountQuery;
import hourglass.store.FieldQuery;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.WideColumnStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Possible mistakes of an engine, each with the test that must find it. */
enum SeededBug {
  LOSES_A_COLUMN("aWriteIsReadBackUnchanged") {
    @Override
    List<Column> written(List<Column> columns) {
      return columns.subList(0, Math.max(1, columns.size() - 1));
    }
  },
  DOUBLES_A_COLUMN("aWriteIsReadBackUnchanged") {
    @Override
    List<Column> written(List<Column> columns) {
      List<Column> doubled = new ArrayList<>(columns);
      doubled.add(new Column(columns.get(0).name().successor(), columns.get(0).payload()));
      return doubled;
    }
  },
  TEARS_MUTATIONS("readersSeeWholeMutationsOfARow") {
    @Override
    WideColumnStore in(WideColumnStore sound) {
      return new FlawedWrites.Torn(sound);
    }
  },
  ACKNOWLEDGES_EARLY("acknowledgedWriteIsVisibleAtOnce") {
    @Override
    WideColumnStore in(WideColumnStore sound) {
      return new FlawedWrites.Early(sound);
    }
  },

  FIRST_WRITE_WINS("theLargerPayloadReplacesTheSmaller") {
    @Override
    WideColumnStore in(WideColumnStore sound) {
      return new FlawedPayloads(sound, (first, second) -> first);
    }
  },
  LAST_WRITE_WINS("theSmallerPayloadLeavesTheLarger") {
    @Override
    WideColumnStore in(WideColumnStore sound) {
      return new FlawedPayloads(sound, (first, second) -> second);
    }
  },
  LONGER_PAYLOAD_WINS("theLargerPayloadReplacesTheSmaller") {
    @Override
    WideColumnStore in(WideColumnStore sound) {
      return new FlawedPayloads(sound, (a, b) -> a.length() >= b.length() ? a : b);
    }
  },
  LARGER_SIGNED_BYTES_WIN("theLargerPayloadReplacesTheSmaller") {
    @Override
    WideColumnStore in(WideColumnStore sound) {
      return new FlawedPayloads(sound, (a, b) -> Arrays.compare(bytes(a), bytes(b)) >= 0 ? a : b);
    }
  },

  LEAVES_OUT_A_MATCH("aFilterLeavesOutOnlyColumnsThatCannotMatch") {
    @Override
    SliceQuery query(SliceQuery query) {
      SliceQuery.Filter filter = query.filter();
      return filter == null
          ? query
          : query.withFilter(new SliceQuery.Filter(filter.fields(), query.range()));
    }
  },
  SEARCHES_PAYLOADS_THAT_LOST("aTextLeavesOutOnlyColumnsWithoutIt") {
    @Override
    WideColumnStore in(WideColumnStore sound) {
      return new FlawedWrites.SearchedOneByOne(sound);
    }
  },
  COUNTS_VALUES_THAT_DO_NOT_MATCH("valuesOfTheLargerPayloadsAreCounted") {
    @Override
    FieldQuery query(FieldQuery query) {
      return new FieldQuery(query.part(), query.fields(), null);
    }
  },
  COUNTS_VALUES_IN_ONE_STEP("valuesOfTheLargerPayloadsAreCounted") {
    @Override
    FieldQuery query(FieldQuery query) {
      CountQuery all = CountQuery.all(query.part().row());
      return new FieldQuery(
          all.of(query.part().row(), query.range()), query.fields(), query.filter());
    }
  },
  IGNORES_THE_ORDER("aLimitedSliceBeginsAtTheNearEnd") {
    @Override
    SliceQuery query(SliceQuery query) {
      return new SliceQuery(
          query.row(), query.range(), Order.ASCENDING, query.columnsMax(), query.projection());
    }
  },
  INCLUDES_THE_END("aRangeIncludesItsStartAndExcludesItsEnd") {
    @Override
    SliceQuery query(SliceQuery query) {
      ColumnRange range = query.range();
      return query.withRange(new ColumnRange(range.from(), range.to().successor()));
    }
  },
  EXCLUDES_THE_START("aRangeIncludesItsStartAndExcludesItsEnd") {
    @Override
    SliceQuery query(SliceQuery query) {
      ColumnRange range = query.range();
      return query.withRange(new ColumnRange(range.from().successor(), range.to()));
    }
  },
  COMPARES_TICKS_ONLY("aRangeMayBeginAndEndWithinATick") {
    @Override
    SliceQuery query(SliceQuery query) {
      ColumnRange range = query.range();
      return query.withRange(ColumnRange.ofTicks(range.from().ticks(), range.to().ticks()));
    }
  },
  SENDS_PAYLOADS_WITH_NAMES("aSliceOfNamesContainsLengthsButNoBytes") {
    @Override
    SliceQuery query(SliceQuery query) {
      return new SliceQuery(
          query.row(), query.range(), query.order(), query.columnsMax(), Projection.COLUMNS);
    }
  },
  NEVER_SAYS_MORE("slicesOfAnySizeWalkTheRowOnce") {
    @Override
    Slice slice(Slice slice) {
      return new Slice(slice.columns(), false);
    }
  },

  COUNTS_ONE_TOO_MANY("aCountContainsColumnsAndBytes") {
    @Override
    RowCounts counts(RowCounts counts) {
      return new RowCounts(counts.columns() + 1, counts.bytes(), counts.columnsByStep());
    }
  },
  COUNTS_REPEATS("repeatsCountOnce") {
    @Override
    WideColumnStore in(WideColumnStore sound) {
      return new FlawedWrites.CountedTwice(sound);
    }
  },
  COUNTS_BEYOND_THE_RANGE("onlyTheRangeIsCounted") {
    @Override
    CountQuery query(CountQuery query) {
      long origin = Math.min(query.originTicks(), query.row().hour().startTicks());
      ColumnRange hour = ColumnRange.of(query.row().hour());
      return new CountQuery(query.row(), hour, origin, query.stepTicks());
    }
  },
  COUNTS_FROM_THE_HOUR("stepsMayHaveAnyOriginAndLength") {
    @Override
    CountQuery query(CountQuery query) {
      long origin = Math.max(query.originTicks(), query.row().hour().startTicks());
      return new CountQuery(query.row(), query.range(), origin, query.stepTicks());
    }
  },

  LISTS_ROWS_UNSORTED("rowsAreSortedByTypeAndShard") {
    @Override
    List<RowEntry> entries(List<RowEntry> entries) {
      return entries.stream().sorted(Comparator.comparing(e -> e.row().toString())).toList();
    }
  },
  LISTS_ROWS_LATE("aRowIsListedOnceItsFirstColumnIsAcknowledged") {
    @Override
    List<RowEntry> entries(List<RowEntry> entries) {
      return entries.subList(0, Math.max(0, entries.size() - 1));
    }
  },
  LEAVES_THE_LAST_HOUR_OUT("hoursWithRowsAreListedIncludingBothEnds") {
    @Override
    List<Hour> hours(List<Hour> hours) {
      return hours.subList(0, Math.max(0, hours.size() - 1));
    }
  },
  DROPS_NOTHING("droppingAnHourDropsAllOfIt") {
    @Override
    WideColumnStore in(WideColumnStore sound) {
      return new FlawedWrites.NotDropped(sound);
    }
  },
  DROPS_ALL_TYPES("droppingATypeLeavesTheOthersOfItsHour") {
    @Override
    WideColumnStore in(WideColumnStore sound) {
      return new FlawedWrites.DroppedWithTheOthers(sound);
    }
  },
  HIDES_DROPS("droppedHoursAreNamed") {
    @Override
    WideColumnStore in(WideColumnStore sound) {
      return new FlawedWrites.SilentAboutDrops(sound);
    }
  },

  MARKS_STAND_STILL("marksChangeWithEveryWriteThatChangesAnAnswer") {
    @Override
    List<RowEntry> entries(List<RowEntry> entries) {
      return entries.stream().map(entry -> marked(entry, List.of())).toList();
    }
  },
  MARKS_MOVE_BY_THEMSELVES("marksStayEqualWithoutWrites") {
    private long reads;

    @Override
    List<RowEntry> entries(List<RowEntry> entries) {
      List<RowEntry.Mark> marks = List.of(new RowEntry.Mark("reader", ++reads));
      return entries.stream().map(entry -> marked(entry, marks)).toList();
    }
  },
  KEEPS_SEALS("aLateWriteBreaksTheSealAndIsSeen") {
    @Override
    List<RowEntry> entries(List<RowEntry> entries) {
      return entries.stream()
          .map(e -> e.manifest() == null ? e : marked(e, e.manifest().marks()))
          .toList();
    }
  },
  FORGETS_WHAT_IT_PROMISED_TO_KEEP("columnsSurviveAReopen") {
    @Override
    WideColumnStore in(WideColumnStore sound) {
      return new DurableOracle(new OracleStore(), Set.of());
    }
  },
  ANSWERS_WHEN_CLOSED("closedStoreRefusesEveryCall") {
    @Override
    WideColumnStore in(WideColumnStore sound) {
      return new FlawedWrites.NeverClosed(sound);
    }
  };

  final String foundBy;

  SeededBug(String foundBy) {
    this.foundBy = foundBy;
  }

  WideColumnStore in(WideColumnStore sound) {
    return new FlawedStore(sound, this);
  }

  List<Column> written(List<Column> columns) {
    return columns;
  }

  FieldQuery query(FieldQuery query) {
    return query;
  }

  SliceQuery query(SliceQuery query) {
    return query;
  }

  Slice slice(Slice slice) {
    return slice;
  }

  CountQuery query(CountQuery query) {
    return query;
  }

  RowCounts counts(RowCounts counts) {
    return counts;
  }

  List<RowEntry> entries(List<RowEntry> entries) {
    return entries;
  }

  List<Hour> hours(List<Hour> hours) {
    return hours;
  }

  Mutation written(Mutation mutation) {
    List<Column> columns = written(Column.unpack(mutation.columns()));
    return new Mutation(mutation.row(), Column.pack(columns));
  }

  private static byte[] bytes(String payload) {
    return payload.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  private static RowEntry marked(RowEntry entry, List<RowEntry.Mark> marks) {
    return new RowEntry(
        entry.row(),
        entry.columns(),
        entry.bytes(),
        entry.first(),
        entry.last(),
        entry.manifest(),
        marks);
  }
}
