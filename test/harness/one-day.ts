export const today = (): string => new Date().toISOString().slice(0, 10)

/** What is seen within one day: looked at once more where midnight (UTC) has passed meanwhile. */
export async function onOneDay<T>(look: (day: string) => Promise<T>): Promise<T> {
  const day = today()
  const seen = await look(day)
  return day === today() ? seen : onOneDay(look)
}
