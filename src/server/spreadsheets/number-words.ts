/** What may stand around the figure of a format: texts in quotes, escaped characters and currencies. */
const PART = /"([^"]*)"|\[\$([^\]-]*)[^\]]*\]|\\(.)|([$\u20ac\u00a3\u00a5])|[_*]./gu

/**
 * A figure with the words that its format shows beside it: 12.5 with the format `0.0 "MWh"` is "12.5 MWh", and 1500 with `0.0,"k"`,
 * which shows thousands, "1.5 k". Figures whose format has no letters and no currency stay as they are.
 */
export function shownWith(value: number, format: string | undefined): number | string {
  if (format === undefined || !/["\\[$\u20ac\u00a3\u00a5]/u.test(format)) return value
  // Sections for positive and negative figures; dates have none of the placeholders.
  const [section = ''] = format.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)
  const marked = section.replaceAll(
    PART,
    (_all, quoted?: string, currency?: string, escaped?: string, sign?: string) => {
      const words = quoted ?? currency ?? escaped ?? sign ?? ''
      return words.replaceAll(/[0#?.,]/g, ' ')
    },
  )
  const figure = /[0#?][0#?.,\s]*/.exec(marked)
  if (figure === null || /[ymdhs]/i.test(section.replaceAll(PART, ''))) return value
  const [before, after] = [marked.slice(0, figure.index), marked.slice(figure.index + figure[0].length)]
  if (!/[\p{L}\p{Sc}]/u.test(before + after)) return value
  const thousands = /,+\s*$/.exec(figure[0])?.[0].trim().length ?? 0
  return `${before.trim()} ${value / 1000 ** thousands} ${after.trim()}`.trim()
}
