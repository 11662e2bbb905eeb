import { z } from 'zod'
import type { Permission } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'DELETE'

/**
 * The format of request and response. `json` answers with the object of answer.ts; so do `upload`, which takes a multipart
 * body, and `raw`, which takes any body, with other fields in the query. `download` and `report` answer with a binary file;
 * `stream` is server-sent events; `page` (HTML) and `probe` (plain JSON) are outside /api.
 */
export type Kind = 'json' | 'upload' | 'raw' | 'download' | 'report' | 'stream' | 'page' | 'probe'

/**
 * Who may call. `anyone`: no token. `session`: a token, verified or not. `verified`: signed in, with or without an
 * organization. `member`: signed in to an organization. A permission (or one of several): a member who holds it.
 * `participant`: a person who opened an invitation to an assessment, and no one else.
 */
export type Allow =
  | 'anyone'
  | 'session'
  | 'verified'
  | 'member'
  | 'participant'
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
  /** Path parameters are in braces, as in the specification: `/api/customers/edit-lot/{id}`. */
  path: `/${string}`
  allow: A
  /** One sentence for the API reference. */
  summary: string
  kind?: K
  /** Path parameters and query or body, merged into one object. */
  input?: I
  output?: O
  /** Defaults by method. The specification's GETs that write set `true`, its POSTs that only read set `false`. */
  writes?: boolean
  /** The handler calls another server, so it gets `inTenant` instead of an open transaction. */
  outside?: X
  /** The request is processed later: answers 202. */
  isLater?: boolean
  /** Who has the link may call. A link that doesn't work is a guess, which is limited per network. */
  isSecretLink?: boolean
  /**
   * What a write makes stale: the paths of GET endpoints, whose data the browser then reads again. Paths, because a domain
   * can't import the domains that show its data. A job needs none: all data is read again when it ends.
   */
  changes?: readonly `/${string}`[]
  /** What a caller takes out with it, for the log, if it isn't a file: "the price rules". */
  takesOut?: string
  /** What it would change. A 409 has it as `preview` if the caller hasn't confirmed that. */
  preview?: z.ZodType
  /** What a 409 has as `current` if the record was changed meanwhile. Defaults to the output. */
  current?: z.ZodType
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
  isSecretLink: boolean
  changes: readonly string[]
  takesOut?: string
  preview?: z.ZodType
  current?: z.ZodType
}>

const nothing = z.strictObject({})

/** Declares one endpoint with everything that callers may rely on. */
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
    // The only cast of defaults to type parameters: TypeScript cannot relate the two.
  } as unknown as Endpoint<I, O, A, K, X>
}
const defaults = {
  kind: 'json',
  input: nothing,
  output: z.null(),
  outside: false,
  isLater: false,
  isSecretLink: false,
  changes: [],
}

/** What a caller sends. */
export type Sent<E extends Endpoint> = z.input<E['input']>
/** What a handler receives after validation. */
export type Received<E extends Endpoint> = z.output<E['input']>
/** What a handler returns before validation. */
export type Returned<E extends Endpoint> = z.input<E['output']>
/** What a caller gets. */
export type Output<E extends Endpoint> = z.output<E['output']>

/** The names in a path's braces: `['id']`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** A group of endpoints, and the whole contract: `serve`, the client, OpenAPI and the contract tests iterate over it. */
export type Domain = Readonly<Record<string, Endpoint>>
export type Contract = Readonly<Record<string, Domain>>

export type NamedEndpoint = { name: string; endpoint: Endpoint }

/** Every endpoint with its name, such as `lots.add`. The audit log stores this name. */
export function listEndpoints(contract: Contract): NamedEndpoint[] {
  return Object.entries(contract).flatMap(([domain, endpoints]) =>
    Object.entries(endpoints).map(([key, value]) => ({ name: `${domain}.${key}`, endpoint: value })),
  )
}
