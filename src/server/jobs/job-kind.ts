import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { describe, type Permission } from '#contract/permissions.ts'
import type { Database, TenantScope } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'

/** What became of a row: what it was, null where it stays as it is; or why it was refused. */
export type Outcome = { id: string; before: object | null } | { id: string; title: string; reason: string }

/** One batch of rows, in a transaction of its own with the rights that the job's person has now. */
export type RowsWork<P> = { db: Database; actor: Member; payload: P }
export type Former<B> = { id: string; before: B }
/** An undo knows until when the job worked that it takes back: what was changed after that, somebody else changed. */
export type UndoWork<P> = RowsWork<P> & { madeUntil: string }

export type FileWork<P> = { actor: Member; scope: TenantScope; payload: P }
/** A file on its way: `done` says how many of its `total` rows are in it so far. */
export type MadeFile = { name: string; type: string; total: number; body: Readable; done: () => number }

/**
 * Work in steps of its own making. Each step is one transaction that counts only while the job is still this server's and
 * nobody cancelled it. Stopped half-way it begins anew: what a step wrote tells it where to go on.
 */
export type TaskWork<P> = {
  actor: Member
  payload: P
  step: <T>(work: (db: Database) => Promise<T>) => Promise<T>
  /** Says inside a step how far the job is. */
  tell: (db: Database, progress: { done: number; total: number | null }) => Promise<void>
}

/**
 * This server lacks what the work needs, for instance a file. The job is given back for another server to take; when
 * nobody had it several times, it fails with this sentence.
 */
export class NotHere extends Error {}

/** A kind of work as the runner knows it: what is particular to it was laid aside by the two functions below. */
export type JobKind = Readonly<{
  /** The call that starts it, for instance `lots.change`. */
  name: string
  /** What its person must hold at every moment of it. */
  needs: (payload: unknown, work: { isUndo: boolean }) => readonly Permission[]
  /** Its rows, so many at a time; null for a kind that makes a file. */
  rows: {
    batch: number
    leavesEntries: boolean
    canUndo: boolean
    change: (work: RowsWork<unknown>, ids: readonly string[]) => Promise<Outcome[]>
    undo: (work: UndoWork<unknown>, rows: readonly Former<unknown>[]) => Promise<Outcome[]>
  } | null
  makeFile: ((work: FileWork<unknown>) => Promise<MadeFile>) | null
  work: ((work: TaskWork<unknown>) => Promise<void>) | null
}>

const BATCH = 500

/**
 * A change of many rows. `change` answers an outcome for every row it found: one that is missing is told to be there no
 * more. `undo` gives rows what they were, as long as they still are what the job made of them.
 */
export function rowsKind<P extends z.ZodType, B extends z.ZodType>(kind: {
  name: string
  needs: Permission
  payload: P
  batch?: number
  /** Rows leave entries in the audit log as if changed by hand, instead of the job's one. */
  leavesEntries?: true
  change: (work: RowsWork<z.output<P>>, ids: readonly string[]) => Promise<Outcome[]>
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

/** Work that makes a file. Stopped half-way it begins anew. */
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

/** Work that is neither a change of chosen rows nor a file. */
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

/** Why somebody may not do this work, as a sentence; null when they may. */
export function refusalOf(
  kind: JobKind,
  actor: Member,
  { payload, isUndo }: { payload: unknown; isUndo: boolean },
): string | null {
  const missing = kind.needs(payload, { isUndo }).filter((permission) => !actor.may(permission))
  return missing.length === 0 ? null : `You may not do this. It needs ${missing.map(describe).join(' and ')}.`
}

/** Why a row does not get back what it was. */
export const changedSince = (by: string | null): string =>
  by === null ? 'It was changed since.' : `It was changed since by ${by}.`
