package io.holdfast.jmh;

import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.OutputStream;
import java.text.NumberFormat;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.text.TextUtils;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;
import org.openjdk.jmh.util.Statistics;

/// Lines with error bars, drawn as SVG by JFreeChart.
///
/// @param evenly whether neighbours on the x axis are equally far apart, whatever their values
record Chart(String title, String xLabel, String yLabel, boolean evenly, List<Series> series) {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 520;
  private static final Font TITLE = new Font("sans-serif", Font.BOLD, 16);
  private static final Font TEXT = new Font("sans-serif", Font.PLAIN, 13);

  /// Colours that stay apart for those who see fewer of them (Okabe and Ito's), without the yellow.
  private static final List<Color> COLOURS =
      List.of(
          new Color(0x000000),
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x56B4E9));

  static {
    // Else it draws text that is turned as shapes, for the sake of a bug of old JDKs.
    TextUtils.setUseDrawRotatedStringWorkaround(false);
  }

  /// A line of the chart and its name in the legend.
  record Series(String name, List<Point> points) {}

  /// A point with what lies around it.
  record Point(double x, double y, double low, double high) {
    /// Operations in a microsecond, from nanoseconds of one: the longest time is the lowest
    /// throughput.
    static Point ofThroughput(double x, Statistics nanos) {
      return new Point(
          x,
          perMicrosecond(nanos.getPercentile(50)),
          perMicrosecond(nanos.getPercentile(75)),
          perMicrosecond(nanos.getPercentile(25)));
    }

    private static double perMicrosecond(double nanos) {
      return 1e3 / nanos;
    }
  }

  void writeSvg(OutputStream out) throws IOException {
    VectorGraphics2D graphics = new VectorGraphics2D();
    draw().draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
    Processors.get("svg")
        .getDocument(graphics.getCommands(), new PageSize(WIDTH, HEIGHT))
        .writeTo(out);
  }

  private JFreeChart draw() {
    XYPlot plot = new XYPlot(data(), xAxis(), yAxis(), renderer());
    plot.setBackgroundPaint(Color.WHITE);
    plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    JFreeChart chart = new JFreeChart(title, TITLE, plot, true);
    chart.setBackgroundPaint(Color.WHITE);
    chart.getLegend().setItemFont(TEXT);
    return chart;
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
    return withFonts(evenly ? new SymbolAxis(xLabel, labels()) : new NumberAxis(xLabel));
  }

  private String[] labels() {
    return Arrays.stream(xs())
        .mapToObj(NumberFormat.getInstance(Locale.ROOT)::format)
        .toArray(String[]::new);
  }

  private ValueAxis yAxis() {
    NumberAxis axis = new NumberAxis(yLabel);
    axis.setAutoRangeIncludesZero(true);
    return withFonts(axis);
  }

  private static ValueAxis withFonts(ValueAxis axis) {
    axis.setLabelFont(TEXT);
    axis.setTickLabelFont(TEXT);
    return axis;
  }

  private XYErrorRenderer renderer() {
    XYErrorRenderer renderer = new XYErrorRenderer();
    renderer.setDrawXError(false);
    for (int i = 0; i < series.size(); i++) {
      renderer.setSeriesLinesVisible(i, true);
      renderer.setSeriesPaint(i, COLOURS.get(i % COLOURS.size()));
      renderer.setSeriesStroke(i, i < COLOURS.size() ? solid() : dashed());
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
