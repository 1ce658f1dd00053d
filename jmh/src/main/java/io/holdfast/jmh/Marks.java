package io.holdfast.jmh;

import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.axis.LogarithmicAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.LineAndShapeRenderer;
import org.jfree.data.category.DefaultCategoryDataset;

/// What was compared, for each of some kinds of work: marks above its name on a logarithmic scale,
/// since neighbours differ by factors, and a bar would have to begin somewhere.
///
/// @param works from left to right
/// @param series what was compared, in the order of the legend
record Marks(String title, String yLabel, List<String> works, List<Series> series) implements Plot {
  /// What was compared.
  ///
  /// @param values one for each of the works, above 0; empty where nothing was measured
  record Series(String name, List<Optional<Double>> values) {}

  @Override
  public boolean isEmpty() {
    return series.stream().flatMap(line -> line.values().stream()).noneMatch(Optional::isPresent);
  }

  @Override
  public List<List<String>> table() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(heading());
    for (int i = 0; i < works.size(); i++) {
      List<String> row = new ArrayList<>(List.of(works.get(i)));
      for (Series line : series) {
        row.add(Report.cell(line.values().get(i), "%,.1f"));
      }
      rows.add(row);
    }
    return rows;
  }

  private List<String> heading() {
    return Stream.concat(Stream.of(yLabel), series.stream().map(Series::name)).toList();
  }

  @Override
  public JFreeChart draw() {
    CategoryAxis names = Plot.withFonts(new CategoryAxis());
    names.setCategoryLabelPositions(CategoryLabelPositions.UP_45);
    LogarithmicAxis values = Plot.withFonts(new LogarithmicAxis(yLabel));
    values.setStrictValuesFlag(false);
    CategoryPlot plot = new CategoryPlot(data(), names, values, renderer());
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    plot.setDomainGridlinesVisible(true);
    plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
    return Plot.styled(title, plot);
  }

  private DefaultCategoryDataset data() {
    DefaultCategoryDataset data = new DefaultCategoryDataset();
    for (Series line : series) {
      for (int i = 0; i < works.size(); i++) {
        data.addValue(line.values().get(i).orElse(null), line.name(), works.get(i));
      }
    }
    return data;
  }

  private LineAndShapeRenderer renderer() {
    LineAndShapeRenderer renderer = new LineAndShapeRenderer(false, true);
    for (int i = 0; i < series.size(); i++) {
      renderer.setSeriesPaint(i, COLOURS.get(i % COLOURS.size()));
      renderer.setSeriesShapesFilled(i, i < COLOURS.size());
    }
    return renderer;
  }
}
