package io.holdfast.jmh.call;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;
import org.h2.jdbcx.JdbcConnectionPool;

/// By one-time tasks of db-scheduler over a file of H2, whose commits are written at once and not
/// synced: `WRITE_DELAY=0`, since by default a kill may take the last half of a second. Tasks are
/// executed when they are scheduled, and not first looked for after ten seconds.
public final class DbSchedulerCalls implements Calls {
  /// Tasks are scheduled by so many threads at a time, executed by ten.
  private static final int CONNECTIONS = 32;

  private final LongAdder made = new LongAdder();
  private final JdbcConnectionPool connections;
  private final OneTimeTask<Long> count;
  private final Scheduler scheduler;

  public DbSchedulerCalls(Path directory) {
    connections =
        JdbcConnectionPool.create(
            "jdbc:h2:file:" + directory.resolve("calls") + ";WRITE_DELAY=0", "sa", "");
    connections.setMaxConnections(CONNECTIONS);
    createTable();
    count = Tasks.oneTime("count", Long.class).execute((_, _) -> made.increment());
    scheduler =
        Scheduler.create(connections, count)
            .enableImmediateExecution()
            .pollingInterval(Duration.ofMillis(100))
            .build();
    scheduler.start();
  }

  /// As its documentation has it.
  private void createTable() {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE scheduled_tasks (
            task_name VARCHAR(100) NOT NULL,
            task_instance VARCHAR(100) NOT NULL,
            task_data BLOB,
            execution_time TIMESTAMP WITH TIME ZONE NOT NULL,
            picked BOOLEAN NOT NULL,
            picked_by VARCHAR(50),
            last_success TIMESTAMP WITH TIME ZONE,
            last_failure TIMESTAMP WITH TIME ZONE,
            consecutive_failures INT,
            last_heartbeat TIMESTAMP WITH TIME ZONE,
            version BIGINT NOT NULL,
            priority SMALLINT,
            PRIMARY KEY (task_name, task_instance))
          """);
      statement.execute("CREATE INDEX by_time ON scheduled_tasks (execution_time)");
      statement.execute("CREATE INDEX by_heartbeat ON scheduled_tasks (last_heartbeat)");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void submit(long number) {
    scheduler.schedule(count.instance(Long.toString(number), number), Instant.now());
  }

  @Override
  public long made() {
    return made.sum();
  }

  @Override
  public void close() {
    scheduler.stop();
    connections.dispose();
  }
}
