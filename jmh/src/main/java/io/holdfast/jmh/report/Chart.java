package io.holdfast.jmh.report;

import java.awt.BasicStroke;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;
import org.openjdk.jmh.util.Statistics;

/// Lines with error bars.
///
/// @param evenly whether neighbours on the x axis are equally far apart, whatever their values
public record Chart(String title, String xLabel, String yLabel, boolean evenly, List<Series> series)
    implements Plot {
  /// A line of the chart and its name in the legend.
  public record Series(String name, List<Point> points) {}

  /// A point with what lies around it.
  public record Point(double x, double y, double low, double high) {
    /// Operations in a microsecond, from nanoseconds of one: the longest time is the lowest
    /// throughput.
    public static Point ofThroughput(double x, Statistics nanos) {
      return new Point(
          x,
          perMicrosecond(nanos.getPercentile(50)),
          perMicrosecond(nanos.getPercentile(75)),
          perMicrosecond(nanos.getPercentile(25)));
    }

    /// How many times as long one takes as another: at the least the lower quarter of the one and
    /// the upper of the other.
    public static Point ofRatio(double x, Statistics of, Statistics to) {
      Mark ratio = Mark.ofRatio(of, to);
      return new Point(x, ratio.value(), ratio.low(), ratio.high());
    }

    private static double perMicrosecond(double nanos) {
      return 1e3 / nanos;
    }
  }

  @Override
  public boolean isEmpty() {
    return series.isEmpty();
  }

  @Override
  public List<List<String>> table() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(Stream.concat(Stream.of(xLabel), series.stream().map(Series::name)).toList());
    for (double x : xs()) {
      List<String> row = new ArrayList<>(List.of("%,.0f".formatted(x)));
      for (Series line : series) {
        row.add(
            Page.cell(
                line.points().stream().filter(p -> p.x() == x).map(Point::y).findFirst(), "%.2f"));
      }
      rows.add(row);
    }
    return rows;
  }

  @Override
  public JFreeChart draw() {
    return Plot.styled(title, new XYPlot(data(), xAxis(), yAxis(), renderer()));
  }

  private YIntervalSeriesCollection data() {
    YIntervalSeriesCollection data = new YIntervalSeriesCollection();
    for (Series line : series) {
      YIntervalSeries points = new YIntervalSeries(line.name());
      line.points().forEach(p -> points.add(at(p.x()), p.y(), p.low(), p.high()));
      data.addSeries(points);
    }
    return data;
  }

  private double at(double x) {
    return evenly ? Arrays.binarySearch(xs(), x) : x;
  }

  private double[] xs() {
    return series.stream()
        .flatMap(line -> line.points().stream())
        .mapToDouble(Point::x)
        .sorted()
        .distinct()
        .toArray();
  }

  private ValueAxis xAxis() {
    // Not a LogAxis, whose labels VectorGraphics2D draws as shapes.
    if (!evenly) {
      return Plot.withFonts(new NumberAxis(xLabel));
    }
    SymbolAxis axis = new SymbolAxis(xLabel, labels());
    axis.setGridBandsVisible(false);
    return Plot.withFonts(axis);
  }

  private String[] labels() {
    return Arrays.stream(xs())
        .mapToObj(NumberFormat.getInstance(Locale.ROOT)::format)
        .toArray(String[]::new);
  }

  private ValueAxis yAxis() {
    NumberAxis axis = new NumberAxis(yLabel);
    axis.setAutoRangeIncludesZero(true);
    return Plot.withFonts(axis);
  }

  private XYErrorRenderer renderer() {
    XYErrorRenderer renderer = new XYErrorRenderer();
    renderer.setDrawXError(false);
    for (int i = 0; i < series.size(); i++) {
      renderer.setSeriesLinesVisible(i, true);
      renderer.setSeriesPaint(i, Plot.COLOURS.get(i % Plot.COLOURS.size()));
      renderer.setSeriesStroke(i, i < Plot.COLOURS.size() ? solid() : dashed());
    }
    return renderer;
  }

  private static BasicStroke solid() {
    return new BasicStroke(1.6f);
  }

  private static BasicStroke dashed() {
    float[] dashes = {6, 4};
    return new BasicStroke(1.6f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, dashes, 0);
  }
}
