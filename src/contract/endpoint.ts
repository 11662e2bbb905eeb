import { z } from 'zod'
import type { Permission } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'DELETE'

/**
 * How an answer travels. `json` is the answer object of answer.ts; `upload` is the same after a multipart
 * body, `raw` after any body, with its other fields in the query; `download` and `report` are a bare binary on success; `stream` is server-sent events; `page` (HTML)
 * and `probe` (plain JSON) live outside /api.
 */
export type Kind = 'json' | 'upload' | 'raw' | 'download' | 'report' | 'stream' | 'page' | 'probe'

/**
 * Who may call. `anyone`: no token. `session`: a token, verified or not. `verified`: signed in, organization or
 * not. `member`: signed in with an organization. A permission (or one of several): a member who holds it.
 */
export type Allow =
  | 'anyone'
  | 'session'
  | 'verified'
  | 'member'
  | Permission
  | { anyOf: readonly Permission[] }

type Declaration<
  I extends z.ZodType,
  O extends z.ZodType,
  A extends Allow,
  K extends Kind,
  X extends boolean,
> = {
  method: Method
  /** Path parameters in braces, as the specification writes them: `/api/customers/edit-lot/{id}`. */
  path: `/${string}`
  allow: A
  /** One sentence for the API reference. */
  summary: string
  kind?: K
  /** Path parameters, query or body together in one object. */
  input?: I
  output?: O
  /** Defaults by method; the specification's acting GETs say `true`, its reading POSTs `false`. */
  writes?: boolean
  /** The handler talks to another machine: it gets `inTenant` instead of an open transaction. */
  outside?: X
  /** What was taken in is worked on later: 202. */
  isLater?: boolean
}

export type Endpoint<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  A extends Allow = Allow,
  K extends Kind = Kind,
  X extends boolean = boolean,
> = Readonly<{
  method: Method
  path: string
  allow: A
  summary: string
  kind: K
  input: I
  output: O
  writes: boolean
  outside: X
  isLater: boolean
}>

const nothing = z.strictObject({})

/** Declares one call. Everything a caller may rely on is in its argument. */
export function endpoint<
  const A extends Allow,
  I extends z.ZodType = typeof nothing,
  O extends z.ZodType = z.ZodNull,
  K extends Kind = 'json',
  X extends boolean = false,
>(declared: Declaration<I, O, A, K, X>): Endpoint<I, O, A, K, X> {
  return {
    ...defaults,
    writes: declared.method !== 'GET',
    ...declared,
    // The one place where a default stands for a type parameter: TypeScript cannot tie the two together.
  } as unknown as Endpoint<I, O, A, K, X>
}
const defaults = { kind: 'json', input: nothing, output: z.null(), outside: false, isLater: false }

/** What a caller sends. */
export type Sent<E extends Endpoint> = z.input<E['input']>
/** What a handler receives after validation. */
export type Received<E extends Endpoint> = z.output<E['input']>
/** What a handler returns before validation. */
export type Returned<E extends Endpoint> = z.input<E['output']>
/** What a caller gets. */
export type Got<E extends Endpoint> = z.output<E['output']>

/** The names in a path's braces: `['id']`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** A group of endpoints, and the whole contract: what `serve`, the client, OpenAPI and the matrices walk over. */
export type Domain = Readonly<Record<string, Endpoint>>
export type Contract = Readonly<Record<string, Domain>>

/** Every endpoint with its name, for instance `lots.add`: the name that the audit log keeps. */
export function listEndpoints(contract: Contract): { name: string; endpoint: Endpoint }[] {
  return Object.entries(contract).flatMap(([domain, endpoints]) =>
    Object.entries(endpoints).map(([key, value]) => ({ name: `${domain}.${key}`, endpoint: value })),
  )
}
