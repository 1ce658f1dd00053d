package io.holdfast.jmh.report;

import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.Optional;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.CategoryItemRendererState;
import org.jfree.chart.renderer.category.LineAndShapeRenderer;
import org.jfree.data.category.CategoryDataset;

/// Draws marks with their bars, those of one kind of work beside each other.
final class MarksRenderer extends LineAndShapeRenderer {
  private static final long serialVersionUID = 1;

  private final transient List<List<Optional<Mark>>> marks;

  /// @param marks by series and work
  MarksRenderer(List<List<Optional<Mark>>> marks) {
    super(false, true);
    this.marks = marks;
    setUseSeriesOffset(true);
    setItemMargin(0.3);
    for (int i = 0; i < marks.size(); i++) {
      setSeriesPaint(i, Plot.COLOURS.get(i % Plot.COLOURS.size()));
      setSeriesShapesFilled(i, i < Plot.COLOURS.size());
    }
  }

  @Override
  public void drawItem(
      Graphics2D graphics,
      CategoryItemRendererState state,
      Rectangle2D area,
      CategoryPlot plot,
      CategoryAxis works,
      ValueAxis values,
      CategoryDataset data,
      int row,
      int column,
      int pass) {
    Optional<Mark> mark = marks.get(row).get(column);
    if (plot.getOrientation() == PlotOrientation.VERTICAL && mark.isPresent()) {
      double x =
          works.getCategorySeriesMiddle(
              column,
              data.getColumnCount(),
              state.getVisibleSeriesIndex(row),
              state.getVisibleSeriesCount(),
              getItemMargin(),
              area,
              plot.getDomainAxisEdge());
      double low = values.valueToJava2D(mark.get().low(), area, plot.getRangeAxisEdge());
      double high = values.valueToJava2D(mark.get().high(), area, plot.getRangeAxisEdge());
      graphics.setPaint(getItemPaint(row, column));
      graphics.setStroke(Plot.BAR);
      graphics.draw(new Line2D.Double(x, low, x, high));
    }
    super.drawItem(graphics, state, area, plot, works, values, data, row, column, pass);
  }
}
