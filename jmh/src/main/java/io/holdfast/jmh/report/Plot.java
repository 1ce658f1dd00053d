package io.holdfast.jmh.report;

import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.text.TextUtils;

/// A picture of the report, drawn as SVG by JFreeChart.
interface Plot {
  int WIDTH = 860;
  int HEIGHT = 520;
  BasicStroke BAR = new BasicStroke(1.2f);
  Font TITLE = new Font("sans-serif", Font.BOLD, 16);
  Font TEXT = new Font("sans-serif", Font.PLAIN, 13);

  /// Colours that stay apart for those who see fewer of them (Okabe and Ito's), without the yellow.
  List<Color> COLOURS =
      List.of(
          new Color(0x000000),
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x56B4E9));

  /// Above it.
  String title();

  /// Whether nothing of it was measured.
  boolean isEmpty();

  /// The values, a row for each place on the x axis; the first row is the heading.
  List<List<String>> table();

  /// JFreeChart's form of it.
  JFreeChart draw();

  /// Writes a document of its own.
  default void writeSvg(OutputStream out) throws IOException {
    // Else it draws text that is turned as shapes, for the sake of a bug of old JDKs.
    TextUtils.setUseDrawRotatedStringWorkaround(false);
    VectorGraphics2D graphics = new VectorGraphics2D();
    draw().draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
    Processors.get("svg")
        .getDocument(graphics.getCommands(), new PageSize(WIDTH, HEIGHT))
        .writeTo(out);
  }

  /// A plot under its title.
  static JFreeChart styled(String title, org.jfree.chart.plot.Plot plot) {
    plot.setBackgroundPaint(Color.WHITE);
    JFreeChart chart = new JFreeChart(title, TITLE, plot, true);
    chart.setBackgroundPaint(Color.WHITE);
    chart.getLegend().setItemFont(TEXT);
    return chart;
  }

  /// The axis, with fonts that can be read.
  static <A extends Axis> A withFonts(A axis) {
    axis.setLabelFont(TEXT);
    axis.setTickLabelFont(TEXT);
    return axis;
  }
}
