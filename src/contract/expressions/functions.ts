/** What a rule may call, and nothing else. */
export const FUNCTIONS = [
  { name: 'today', takes: 0, example: 'today()', detail: 'today, where your organization is' },
  { name: 'daysAgo', takes: 1, example: 'daysAgo(30)', detail: 'the day that many days ago' },
  { name: 'date', takes: 1, example: 'date("2026-03-01")', detail: 'a day' },
  { name: 'timestamp', takes: 1, example: 'timestamp("2026-03-01T10:00:00Z")', detail: 'a point in time' },
  { name: 'now', takes: 0, example: 'now()', detail: 'this moment' },
  { name: 'size', takes: 1, example: 'size(makes)', detail: 'how many values or characters' },
] as const

/** What may stand behind text and a point. */
export const TEXT_TESTS = ['contains', 'startsWith', 'endsWith'] as const
