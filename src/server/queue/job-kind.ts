import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { type Permission } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'
import type { Database, TenantScope } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'

/** The result for one row: its previous values (null if unchanged), or why it was rejected. */
export type Outcome = { id: string; before: object | null } | { id: string; title: string; reason: string }

/** One batch of rows in its own transaction, with the user's current permissions. */
export type RowsWork<P> = { db: Database; actor: Member; payload: P }
/** `seen`: by ID, what the user saw of the rows when the job was started. */
export type ChangeWork<P> = RowsWork<P> & { seen: ReadonlyMap<string, unknown> }
export type Former<B> = { id: string; before: B }
/** An undo skips rows that were changed after the original job ended (`madeUntil`). */
export type UndoWork<P> = RowsWork<P> & { madeUntil: string }

export type FileWork<P> = { actor: Member; scope: TenantScope; payload: P }
/** A file being written: `done` returns how many of its `total` rows are in it. */
export type MadeFile = { name: string; type: string; total: number; body: Readable; done: () => number }

/**
 * Work that divides itself into steps. Each step is one transaction, and is only committed while this server holds the lease
 * and the job is not canceled. If interrupted it starts over, and finds from its earlier writes where to continue.
 */
export type TaskWork<P> = {
  actor: Member
  payload: P
  step: <T>(work: (db: Database) => Promise<T>) => Promise<T>
  /** Reports progress inside a step. */
  tell: (db: Database, progress: { done: number; total: number | null }) => Promise<void>
}

/**
 * This server lacks something the job needs, such as a local file. Another server can take the job; if none has it after
 * several attempts, the job fails with this message.
 */
export class NotHere extends Error {}

/** A kind of job, created with `rowsKind`, `fileKind` or `taskKind`. */
export type JobKind = Readonly<{
  /** The endpoint that starts it, such as `lots.change`. */
  name: string
  /** Permissions that the user must have until it ends. */
  needs: (payload: unknown, work: { isUndo: boolean }) => readonly Permission[]
  /** For bulk changes: rows are processed in batches. */
  rows: {
    batch: number
    leavesEntries: boolean
    canUndo: boolean
    /** The table whose rows it deletes, if it does. Its undo can be repeated for rows that something else had taken the place of. */
    deletes: string | null
    change: (work: ChangeWork<unknown>, ids: readonly string[]) => Promise<Outcome[]>
    undo: (work: UndoWork<unknown>, rows: readonly Former<unknown>[]) => Promise<Outcome[]>
  } | null
  makeFile: ((work: FileWork<unknown>) => Promise<MadeFile>) | null
  work: ((work: TaskWork<unknown>) => Promise<void>) | null
}>

const BATCH = 500

/**
 * A bulk change. `change` returns an outcome for every row it found; missing rows are reported as deleted. `undo` restores
 * rows that were not changed since.
 */
export function rowsKind<P extends z.ZodType, B extends z.ZodType>(kind: {
  name: string
  needs: Permission
  payload: P
  batch?: number
  /** The audit log gets one entry per row instead of one for the job. */
  leavesEntries?: true
  /** The table whose rows it deletes: the undo brings them back with `bringBack`. */
  deletes?: string
  change: (work: ChangeWork<z.output<P>>, ids: readonly string[]) => Promise<Outcome[]>
  undo: {
    needs: Permission
    before: B
    rows: (work: UndoWork<z.output<P>>, rows: readonly Former<z.output<B>>[]) => Promise<Outcome[]>
  }
}): JobKind {
  const { undo } = kind
  return {
    name: kind.name,
    needs: (_payload, { isUndo }) => [isUndo ? undo.needs : kind.needs],
    rows: {
      batch: kind.batch ?? BATCH,
      leavesEntries: kind.leavesEntries === true,
      canUndo: true,
      deletes: kind.deletes ?? null,
      change: (work, ids) => kind.change({ ...work, payload: kind.payload.parse(work.payload) }, ids),
      undo: (work, rows) =>
        undo.rows(
          { ...work, payload: kind.payload.parse(work.payload) },
          rows.map(({ id, before }) => ({ id, before: undo.before.parse(before) })),
        ),
    },
    makeFile: null,
    work: null,
  }
}

/** A job that writes a file. If interrupted it starts over. */
export function fileKind<P extends z.ZodType>(kind: {
  name: string
  payload: P
  needs: (payload: z.output<P>) => readonly Permission[]
  makeFile: (work: FileWork<z.output<P>>) => Promise<MadeFile>
}): JobKind {
  return {
    name: kind.name,
    needs: (payload) => kind.needs(kind.payload.parse(payload)),
    rows: null,
    makeFile: (work) => kind.makeFile({ ...work, payload: kind.payload.parse(work.payload) }),
    work: null,
  }
}

/** A job that is neither a bulk change nor a file. */
export function taskKind<P extends z.ZodType>(kind: {
  name: string
  payload: P
  needs: Permission
  work: (work: TaskWork<z.output<P>>) => Promise<void>
}): JobKind {
  return {
    name: kind.name,
    needs: () => [kind.needs],
    rows: null,
    makeFile: null,
    work: (work) => kind.work({ ...work, payload: kind.payload.parse(work.payload) }),
  }
}

/** Why the user may not run this job; null if they may. */
export function refusalOf(
  kind: JobKind,
  actor: Member,
  { payload, isUndo }: { payload: unknown; isUndo: boolean },
): string | null {
  const missing = kind.needs(payload, { isUndo }).filter((permission) => !actor.may(permission))
  return missing.length === 0
    ? null
    : `You don't have permission to do this. It requires ${missing.map(describe).join(' and ')}.`
}

/** Why a row is not restored. */
export const changedSince = (by: string | null): string =>
  by === null ? 'It has changed since.' : `It was changed since by ${by}.`
