export const COLOR_SCHEMES = ['light', 'dark', 'auto'] as const
export const LAYOUTS = ['vertical', 'horizontal'] as const
/** Backgrounds of the top bar, each readable in both schemes with any brand. */
export const HEADER_COLORS = ['chrome', 'page', 'brand', 'ink'] as const
export const DIRECTIONS = ['ltr', 'rtl'] as const

/** The default appearance. Without a schema, because it is needed before the first paint. */
export const DEFAULT_LOOK = {
  scheme: 'auto',
  layout: 'vertical',
  headerColor: 'chrome',
  direction: 'ltr',
  isMenuFixed: true,
  isHeaderFixed: true,
  isBoxed: false,
  isMenuCollapsed: false,
} as const
