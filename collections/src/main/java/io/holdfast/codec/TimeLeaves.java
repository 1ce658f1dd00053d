package io.holdfast.codec;

import static java.util.Map.entry;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;

/// The value types of `java.time`. What is out of range is refused by the JDK's own factories.
final class TimeLeaves {
  private static final int NANOS_MAX = 999_999_999;

  static final Codec<LocalDate> LOCAL_DATE =
      new WordLeafCodec<>("LocalDate", Long.BYTES, LocalDate::toEpochDay, LocalDate::ofEpochDay);
  static final Codec<LocalTime> LOCAL_TIME =
      new WordLeafCodec<>("LocalTime", Long.BYTES, LocalTime::toNanoOfDay, LocalTime::ofNanoOfDay);
  static final Codec<ZoneOffset> ZONE_OFFSET =
      new WordLeafCodec<>(
          "ZoneOffset",
          Integer.BYTES,
          ZoneOffset::getTotalSeconds,
          word -> ZoneOffset.ofTotalSeconds((int) word));
  static final Codec<Year> YEAR =
      new WordLeafCodec<>("Year", Integer.BYTES, Year::getValue, word -> Year.of((int) word));

  /// The month in the lowest byte.
  static final Codec<YearMonth> YEAR_MONTH =
      new WordLeafCodec<>(
          "YearMonth",
          Byte.BYTES + Integer.BYTES,
          value -> (long) value.getYear() << Byte.SIZE | value.getMonthValue(),
          word -> YearMonth.of((int) (word >> Byte.SIZE), (int) (word & 0xFF)));

  /// The day in the lowest byte.
  static final Codec<MonthDay> MONTH_DAY =
      new WordLeafCodec<>(
          "MonthDay",
          2 * Byte.BYTES,
          value -> value.getMonthValue() << Byte.SIZE | value.getDayOfMonth(),
          word -> MonthDay.of((int) (word >> Byte.SIZE), (int) (word & 0xFF)));

  static final Codec<Instant> INSTANT =
      new LeafCodec<>("Instant", 12, TimeLeaves::write, TimeLeaves::readInstant);
  static final Codec<Duration> DURATION =
      new LeafCodec<>("Duration", 12, TimeLeaves::write, TimeLeaves::readDuration);
  static final Codec<Period> PERIOD =
      new LeafCodec<>("Period", 12, TimeLeaves::write, TimeLeaves::readPeriod);
  static final Codec<LocalDateTime> LOCAL_DATE_TIME =
      new LeafCodec<>("LocalDateTime", 16, TimeLeaves::write, TimeLeaves::readLocalDateTime);
  static final Codec<OffsetTime> OFFSET_TIME =
      new LeafCodec<>("OffsetTime", 12, TimeLeaves::write, TimeLeaves::readOffsetTime);
  static final Codec<OffsetDateTime> OFFSET_DATE_TIME =
      new LeafCodec<>("OffsetDateTime", 20, TimeLeaves::write, TimeLeaves::readOffsetDateTime);
  static final Codec<ZoneId> ZONE_ID =
      new LeafCodec<>("ZoneId", 0, TimeLeaves::write, TimeLeaves::readZoneId);
  static final Codec<ZonedDateTime> ZONED_DATE_TIME =
      new LeafCodec<>("ZonedDateTime", 0, TimeLeaves::write, TimeLeaves::readZonedDateTime);

  /// All of them.
  static final Map<Class<?>, Codec<?>> BY_CLASS =
      Map.ofEntries(
          entry(Instant.class, INSTANT),
          entry(Duration.class, DURATION),
          entry(Period.class, PERIOD),
          entry(LocalDate.class, LOCAL_DATE),
          entry(LocalTime.class, LOCAL_TIME),
          entry(LocalDateTime.class, LOCAL_DATE_TIME),
          entry(OffsetTime.class, OFFSET_TIME),
          entry(OffsetDateTime.class, OFFSET_DATE_TIME),
          entry(ZonedDateTime.class, ZONED_DATE_TIME),
          entry(ZoneId.class, ZONE_ID),
          entry(ZoneOffset.class, ZONE_OFFSET),
          entry(Year.class, YEAR),
          entry(YearMonth.class, YEAR_MONTH),
          entry(MonthDay.class, MONTH_DAY));

  private TimeLeaves() {}

  private static void write(Instant value, EncodedOutput out) {
    out.writeLong(value.getEpochSecond());
    out.writeInt(value.getNano());
  }

  private static Instant readInstant(EncodedInput in) {
    long seconds = in.readLong();
    return Instant.ofEpochSecond(seconds, readNanos(in));
  }

  private static void write(Duration value, EncodedOutput out) {
    out.writeLong(value.getSeconds());
    out.writeInt(value.getNano());
  }

  private static Duration readDuration(EncodedInput in) {
    long seconds = in.readLong();
    return Duration.ofSeconds(seconds, readNanos(in));
  }

  /// The factories would carry what is over a second.
  private static int readNanos(EncodedInput in) {
    int nanos = in.readInt();
    if (nanos < 0 || nanos > NANOS_MAX) {
      throw in.refused("Cannot read nanoseconds: found=%d, max=%d".formatted(nanos, NANOS_MAX));
    }
    return nanos;
  }

  private static void write(Period value, EncodedOutput out) {
    out.writeInt(value.getYears());
    out.writeInt(value.getMonths());
    out.writeInt(value.getDays());
  }

  private static Period readPeriod(EncodedInput in) {
    return Period.of(in.readInt(), in.readInt(), in.readInt());
  }

  private static void write(LocalDateTime value, EncodedOutput out) {
    out.writeLong(value.toLocalDate().toEpochDay());
    out.writeLong(value.toLocalTime().toNanoOfDay());
  }

  private static LocalDateTime readLocalDateTime(EncodedInput in) {
    return LocalDateTime.of(
        LocalDate.ofEpochDay(in.readLong()), LocalTime.ofNanoOfDay(in.readLong()));
  }

  private static void write(OffsetTime value, EncodedOutput out) {
    out.writeLong(value.toLocalTime().toNanoOfDay());
    out.writeInt(value.getOffset().getTotalSeconds());
  }

  private static OffsetTime readOffsetTime(EncodedInput in) {
    return OffsetTime.of(LocalTime.ofNanoOfDay(in.readLong()), readOffset(in));
  }

  private static void write(OffsetDateTime value, EncodedOutput out) {
    write(value.toLocalDateTime(), out);
    out.writeInt(value.getOffset().getTotalSeconds());
  }

  private static OffsetDateTime readOffsetDateTime(EncodedInput in) {
    return OffsetDateTime.of(readLocalDateTime(in), readOffset(in));
  }

  private static ZoneOffset readOffset(EncodedInput in) {
    return ZoneOffset.ofTotalSeconds(in.readInt());
  }

  private static void write(ZoneId value, EncodedOutput out) {
    out.writeString(value.getId());
  }

  /// An offset has several names, of which one is its own.
  private static ZoneId readZoneId(EncodedInput in) {
    String id = in.readString();
    ZoneId zone = ZoneId.of(id);
    if (!zone.getId().equals(id)) {
      throw in.refused("Cannot read ZoneId: the zone has another id: found=" + id);
    }
    return zone;
  }

  /// As the instant, from which the zone's rules give local time and offset. With these stored too,
  /// a value whose zone got other rules since would contradict itself.
  private static void write(ZonedDateTime value, EncodedOutput out) {
    out.writeLong(value.toEpochSecond());
    out.writeInt(value.getNano());
    out.writeString(value.getZone().getId());
  }

  private static ZonedDateTime readZonedDateTime(EncodedInput in) {
    Instant instant = readInstant(in);
    return ZonedDateTime.ofInstant(instant, readZoneId(in));
  }
}
