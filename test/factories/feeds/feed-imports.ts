import { expect } from 'vitest'
import { z } from 'zod'
import { Refusal } from '#contract/answer.ts'
import { FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import type { Caller, TestApp } from '#test/app.ts'
import { multipart } from '#test/harness/multipart.ts'
import type { TestOrganization } from '#test/factories/test-organization.ts'

/** Helpers for feed imports. `forecourt` returns the application once it is running. */
export function feedImports(forecourt: () => TestApp) {
  /** Uploads files as a browser does and reads them; with `id`, the second file of that run. */
  async function uploadFeed(
    caller: Caller,
    fields: Record<string, string>,
    ...files: { name: string; bytes: string | Buffer }[]
  ): Promise<FeedRun> {
    const { payload, headers } = multipart(fields, files)
    const { statusCode, body } = await forecourt().app.inject({
      method: 'POST',
      url: 'id' in fields ? feedRuns.addSecond.path : feedRuns.add.path,
      payload,
      headers: { ...headers, authorization: `Bearer ${caller.token}` },
    })
    const answer: unknown = JSON.parse(body)
    if (statusCode !== 200) throw new Error(`${statusCode} ${Refusal.parse(answer).message}`)
    const { data } = z.object({ data: FeedRun }).parse(answer)
    expect(data.status).toBe('reading')
    await forecourt().jobs.runDue()
    return caller.call(feedRuns.get, { id: data.id })
  }
  const csv = (...lines: string[]) => ({ name: 'feed.csv', bytes: `${lines.join('\n')}\n` })
  async function apply(caller: Caller, id: string, confirm = false): Promise<FeedRun> {
    await caller.call(feedRuns.apply, { id, confirm })
    await forecourt().jobs.runDue()
    return caller.call(feedRuns.get, { id })
  }
  async function undo(caller: Caller, id: string): Promise<FeedRun> {
    await caller.call(feedRuns.undo, { id })
    await forecourt().jobs.runDue()
    return caller.call(feedRuns.get, { id })
  }
  const rowsOf = async (
    caller: Caller,
    runId: string,
    kind?: 'new' | 'changed' | 'missing' | 'refused' | 'same',
  ) => (await caller.call(feedRuns.rows, { runId, ...(kind && { kind }), pageSize: 200 })).results

  /**
   * All vehicles of a customer as exports and pages show them, without row timestamps. The fields of a stamp are sorted, because
   * their order is arbitrary.
   */
  async function stockOf({ customerId }: TestOrganization): Promise<unknown[]> {
    const { rows } = await forecourt().owner.query(
      `select to_jsonb(v) - array['version', 'updated_at', 'updated_by', 'provenance'] as vehicle,
      array(select (s - 'fields')::text || array(select f from jsonb_array_elements_text(s -> 'fields') f order by f)::text
        from jsonb_array_elements(v.provenance) s order by 1) as stamps
      from vehicles v where customer_id = $1 order by id`,
      [customerId],
    )
    return rows
  }
  const onLot = async (lotId: string) => {
    const { rows } = await forecourt().owner.query<{
      vin: string
      status: string
      price_cents: string | null
      mileage: number | null
      missing_runs: number
      make: string
      model: string | null
      id: string
    }>(
      `select id, vin, stock, status, price_cents, mileage, make, model, missing_runs, status_reason from vehicles where lot_id = $1 order by stock, id`,
      [lotId],
    )
    return rows
  }
  /** Takes vehicles of earlier tests away: a VIN that is in stock on another lot is asked about. */
  async function forgetVins(...vins: string[]): Promise<void> {
    await forecourt().owner.query('delete from vehicles where vin = any($1)', [vins])
  }
  return { uploadFeed, csv, apply, undo, rowsOf, stockOf, onLot, forgetVins }
}
