/** A one-page bill as PDF in a standard font. The same lines always give the same bytes. */
export function drawBill(lines: readonly string[]): Buffer {
  const text = lines
    .map((line, at) => `1 0 0 1 64 ${760 - at * 24} Tm (${line.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj`)
    .join('\n')
  const page = `BT /F 13 Tf\n${text}\nET`
  const parts = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  const starts: number[] = []
  let file = '%PDF-1.4\n'
  for (const [at, part] of parts.entries()) {
    starts.push(file.length)
    file += `${at + 1} 0 obj\n${part}\nendobj\n`
  }
  // Offsets in the cross-reference table have ten digits (PDF 1.7, section 7.5.4).
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  const size = parts.length + 1
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file + end, 'latin1')
}
