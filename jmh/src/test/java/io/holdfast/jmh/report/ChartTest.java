package io.holdfast.jmh.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jmh.report.Chart.Point;
import io.holdfast.jmh.report.Chart.Series;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ChartTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anSvgNamesItsSeriesAndAxes(boolean evenly) throws Exception {
    List<Series> series =
        IntStream.range(0, 9)
            .mapToObj(
                i ->
                    new Series(
                        "log <" + i + "> & more",
                        List.of(new Point(32, i, i, i + 1), new Point(512, 2 * i, i, 3 * i))))
            .toList();
    Chart chart = new Chart("a title", "bytes", "appends", evenly, series);
    Element svg = parse(chart);
    assertThat(svg.getTagName()).isEqualTo("svg");
    assertThat(texts(svg))
        .contains("a title", "bytes", "appends")
        .contains(evenly ? new String[] {"32", "512"} : new String[] {"100", "500"})
        .containsAll(series.stream().map(Series::name).toList());
  }

  private static Element parse(Chart chart) throws Exception {
    ByteArrayOutputStream svg = new ByteArrayOutputStream();
    chart.writeSvg(svg);
    DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    // The document type is named by an address, which is not to be asked.
    parser.setEntityResolver((_, _) -> new InputSource(new ByteArrayInputStream(new byte[0])));
    return parser.parse(new ByteArrayInputStream(svg.toByteArray())).getDocumentElement();
  }

  private static List<String> texts(Element svg) {
    NodeList texts = svg.getElementsByTagName("text");
    return IntStream.range(0, texts.getLength())
        .mapToObj(i -> texts.item(i).getTextContent())
        .toList();
  }
}
