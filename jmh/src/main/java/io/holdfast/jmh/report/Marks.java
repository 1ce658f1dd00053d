package io.holdfast.jmh.report;

import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.axis.LogarithmicAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.data.category.DefaultCategoryDataset;

/// What was compared, for each of some kinds of work: marks above its name on a logarithmic scale,
/// since neighbours differ by factors, and a bar would have to begin somewhere. What was not
/// measured at all has no place in the plot.
///
/// @param works from left to right
/// @param series what was compared, in the order of the legend
public record Marks(String title, String yLabel, List<String> works, List<Series> series)
    implements Plot {
  /// Of a label, in places of the axis: it is turned.
  private static final float LABEL_WIDTH = 3;

  /// What was compared.
  ///
  /// @param values one for each of the works, above 0; empty where nothing was measured
  public record Series(String name, List<Optional<Mark>> values) {
    boolean isEmpty() {
      return values.stream().noneMatch(Optional::isPresent);
    }
  }

  @Override
  public boolean isEmpty() {
    return series.stream().allMatch(Series::isEmpty);
  }

  @Override
  public List<List<String>> table() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(heading());
    for (int i = 0; i < works.size(); i++) {
      List<String> row = new ArrayList<>(List.of(works.get(i)));
      for (Series line : series) {
        row.add(Page.cell(line.values().get(i).map(Mark::value), "%,.1f"));
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
    Marks measured = measured();
    CategoryAxis names = Plot.withFonts(new CategoryAxis());
    names.setCategoryLabelPositions(CategoryLabelPositions.UP_45);
    names.setMaximumCategoryLabelWidthRatio(LABEL_WIDTH);
    LogarithmicAxis values = Plot.withFonts(new LogarithmicAxis(yLabel));
    values.setStrictValuesFlag(false);
    values.setAutoRangeNextLogFlag(true); // only powers of ten have labels
    CategoryPlot plot =
        new CategoryPlot(
            measured.data(),
            names,
            values,
            new MarksRenderer(measured.series.stream().map(Series::values).toList()));
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    plot.setDomainGridlinesVisible(true);
    plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
    return Plot.styled(title, plot);
  }

  /// What of it was measured.
  private Marks measured() {
    List<Integer> places =
        IntStream.range(0, works.size())
            .filter(i -> series.stream().anyMatch(line -> line.values.get(i).isPresent()))
            .boxed()
            .toList();
    return new Marks(
        title,
        yLabel,
        places.stream().map(works::get).toList(),
        series.stream()
            .filter(line -> !line.isEmpty())
            .map(line -> new Series(line.name, places.stream().map(line.values::get).toList()))
            .toList());
  }

  private DefaultCategoryDataset data() {
    DefaultCategoryDataset data = new DefaultCategoryDataset();
    for (Series line : series) {
      for (int i = 0; i < works.size(); i++) {
        data.addValue(
            line.values().get(i).map(Mark::value).orElse(null), line.name(), works.get(i));
      }
    }
    return data;
  }
}
