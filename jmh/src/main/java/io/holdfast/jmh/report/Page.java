package io.holdfast.jmh.report;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/// The report as it is written: Markdown, which a terminal shows too, and plots as files beside it.
///
/// Confined to its thread.
public final class Page {
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>%s</title><style>
      body { font: 15px/1.45 sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem }
      table { border-collapse: collapse; font-size: 13px; display: block; overflow-x: auto }
      th, td { border: 1px solid #ccc; padding: 2px 7px; text-align: right }
      th:first-child, td:first-child { text-align: left }
      img { max-width: 100%%; border: 1px solid #ddd }
      </style></head><body>
      """;

  private final String title;
  private final Path directory;
  private final StringWriter text = new StringWriter();
  private final PrintWriter out = new PrintWriter(text, true);

  /// @param directory where its files go; it is created
  public Page(String title, Path directory) throws IOException {
    this.title = title;
    this.directory = Files.createDirectories(directory);
    out.printf("# %s%n", title);
  }

  /// Takes Markdown.
  public PrintWriter out() {
    return out;
  }

  /// Draws a plot, unless it is empty.
  public void plot(Plot plot, String name) {
    if (plot.isEmpty()) {
      return;
    }
    try (OutputStream svg = Files.newOutputStream(directory.resolve(name))) {
      plot.writeSvg(svg);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.printf("%n![%s](%s)%n%n", plot.title(), name);
  }

  /// Draws a plot, and writes its values under it.
  public void plotWithTable(Plot plot, String name) {
    plot(plot, name);
    List<List<String>> rows = plot.table();
    out.println(row(rows.getFirst()));
    out.println("|" + "---|".repeat(rows.getFirst().size()));
    rows.stream().skip(1).map(Page::row).forEach(out::println);
  }

  /// The cell of a table.
  public static String cell(Optional<Double> value, String format) {
    return value.map(format::formatted).orElse("");
  }

  /// A row of a table.
  public static String row(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
  }

  /// Writes `index.html`.
  ///
  /// @return where
  public Path write() throws IOException {
    List<Extension> tables = List.of(TablesExtension.create());
    String body =
        HtmlRenderer.builder()
            .extensions(tables)
            .escapeHtml(true)
            .build()
            .render(Parser.builder().extensions(tables).build().parse(text.toString()));
    Path file = directory.resolve("index.html");
    Files.writeString(file, HEAD.formatted(title) + body + "</body></html>\n");
    return file;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
