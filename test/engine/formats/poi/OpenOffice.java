import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import org.apache.poi.openxml4j.opc.OPCPackage;
import org.apache.poi.openxml4j.opc.PackageAccess;
import org.apache.poi.openxml4j.util.ZipSecureFile;
import org.apache.poi.xslf.usermodel.XMLSlideShow;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.apache.poi.xwpf.usermodel.XWPFDocument;

/** Opens each Office file named on standard input with Apache POI; prints what it says. */
public class OpenOffice {
  public static void main(String[] arguments) throws Exception {
    ZipSecureFile.setMinInflateRatio(0.0001);
    BufferedReader names = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String line = names.readLine(); line != null; line = names.readLine()) {
      String[] fields = line.split("\t");
      try (OPCPackage parts = OPCPackage.open(new File(fields[1]), PackageAccess.READ)) {
        open(fields[0], parts);
        System.out.println("ok");
      } catch (Throwable error) {
        System.out.println(error.getClass().getSimpleName() + " " + String.valueOf(error.getMessage()).split("\n")[0]);
      }
    }
  }

  private static void open(String kind, OPCPackage parts) throws Exception {
    if (kind.equals("docx"))
      try (XWPFDocument document = new XWPFDocument(parts)) {
        document.getParagraphs().forEach(paragraph -> paragraph.getText());
      }
    else if (kind.equals("xlsx"))
      try (XSSFWorkbook workbook = new XSSFWorkbook(parts)) {
        workbook.getAllNames();
        workbook.forEach(sheet -> {
          sheet.getDrawingPatriarch();
          sheet.forEach(row -> row.forEach(cell -> cell.toString()));
        });
      }
    else
      try (XMLSlideShow show = new XMLSlideShow(parts)) {
        show.getSlides().forEach(slide -> slide.getShapes().forEach(shape -> shape.getShapeName()));
      }
  }
}
