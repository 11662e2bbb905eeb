/** The functions a rule can call. */
export const FUNCTIONS = [
  { name: 'today', takes: 0, example: 'today()', detail: "today in your organization's time zone" },
  { name: 'daysAgo', takes: 1, example: 'daysAgo(30)', detail: 'the date that many days ago' },
  { name: 'date', takes: 1, example: 'date("2026-03-01")', detail: 'a date' },
  { name: 'timestamp', takes: 1, example: 'timestamp("2026-03-01T10:00:00Z")', detail: 'a date and time' },
  { name: 'now', takes: 0, example: 'now()', detail: 'the current date and time' },
  { name: 'size', takes: 1, example: 'size(makes)', detail: 'number of values or characters' },
] as const

/** Methods of text. */
export const TEXT_TESTS = ['contains', 'startsWith', 'endsWith'] as const
