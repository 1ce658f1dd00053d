package io.holdfast.jmh.map;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// SQLite (xerial's driver) with a log that is written ahead and synced at each commit:
/// `journal_mode = WAL`, `synchronous = FULL`, as its documentation asks for durability. One
/// connection, whose statements are prepared once, and each of them a transaction.
final class SqliteMap implements BenchmarkMap {
  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement select;

  SqliteMap(Path directory) {
    try {
      connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("map.db"));
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA journal_mode = WAL");
        statement.execute("PRAGMA synchronous = FULL");
        statement.execute(
            "CREATE TABLE IF NOT EXISTS map (k BLOB PRIMARY KEY, v BLOB) WITHOUT ROWID");
      }
      insert = connection.prepareStatement("INSERT OR REPLACE INTO map VALUES (?, ?)");
      select = connection.prepareStatement("SELECT v FROM map WHERE k = ?");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public LongAccess longs() {
    throw new UnsupportedOperationException("of bytes alone");
  }

  @Override
  public ByteAccess bytes() {
    return new ByteAccess() {
      @Override
      public void put(byte[] key, byte[] value) {
        try {
          insert.setBytes(1, key);
          insert.setBytes(2, value);
          insert.executeUpdate();
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
      }

      @Override
      public byte[] get(byte[] key) {
        try {
          select.setBytes(1, key);
          try (ResultSet found = select.executeQuery()) {
            if (!found.next()) {
              throw BenchmarkMap.missing(key.length + " bytes");
            }
            return found.getBytes(1);
          }
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }

  @Override
  public void together(Runnable puts) {
    try {
      connection.setAutoCommit(false);
      puts.run();
      connection.commit();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try (connection;
        insert;
        select) {
      // all are closed
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
