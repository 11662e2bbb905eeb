/**
 * The start time of every run on the product's clock: an afternoon in the middle of a month, far from daylight saving
 * changes. FORECOURT_CLOCK=2028-02-29T23:58:00Z starts a run at another time, to show that no result depends on it.
 *
 * Import this file before any product file: src/server/clock.ts reads the variable when it is loaded.
 */
export const RUN_STARTS_AT = (process.env.FORECOURT_CLOCK ||= '2026-11-18T15:00:00Z')
