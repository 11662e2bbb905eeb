/** Between two cells of a table row, and between a term and what it means. */
export const CELL = '\t'
/** After bold words at the start of a line, which are a label if they are a known one. */
export const BOLD_END = '\uE002'
/** A line break within a cell. */
export const CELL_BREAK = '\v'
/** A line of its own: what follows is apart from what was before. */
export const PART_BREAK = '\uE004'
/** Lines of their own around what a page has below its content. */
export const FOOTER_START = '\uE005'
export const FOOTER_END = '\uE006'
/** At the start of a line: the next entry of a numbered list. */
export const ITEM = '\uE007'

/** What only the reader of labels needs becomes spaces and line breaks. */
export const plainLines = (lines: string): string =>
  lines
    .replaceAll(/[\uE004-\uE006]\n?|[\uE002\uE007]/g, '')
    .replaceAll(CELL_BREAK, '\n')
    .replaceAll(/[^\S\n]*\t[^\S\n]*/g, '  ')
    .trim()
