/** The filter for prices advertised at any time of a day, in the user's time zone; undefined without a day. */
export function filterOfDay(day: string): string | undefined {
  if (day === '') return undefined
  return `fromAt <= date("${day}") && (untilAt == null || untilAt >= date("${day}"))`
}

/** The day of such a filter; empty for other filters. */
export function dayOfFilter(filter: string | undefined): string {
  const [, day = ''] = /^fromAt <= date\("(\d{4}-\d{2}-\d{2})"\)/.exec(filter ?? '') ?? []
  return filterOfDay(day) === filter ? day : ''
}
