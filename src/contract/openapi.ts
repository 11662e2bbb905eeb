import { z } from 'zod'
import { Refusal } from './answer.ts'
import { CALL_KEY_HEADER, isRepeatable } from './repeatable-calls.ts'
import {
  listEndpoints,
  pathParameters,
  type Allow,
  type Contract,
  type Endpoint,
  type Kind,
} from './endpoint.ts'
import { describe } from './permission-text.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of a contract, generated from the schemas that validate the requests. */
export function openApi(contract: Contract): Json {
  const paths: Record<string, Json> = {}
  const schemas: Json = {}
  for (const { name, endpoint } of listEndpoints(contract)) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(name, endpoint),
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Forecourt', version: '1', description: 'All endpoints of the back office.' },
    servers: [{ url: '/' }],
    paths: hoist(paths, schemas),
    components: {
      schemas,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  }
}

const CALL_KEY = {
  name: CALL_KEY_HEADER,
  in: 'header',
  required: false,
  description:
    'Sent again under the same key within an hour, the call is done once and answered as the first time.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{16,64}$' },
}

function operation(name: string, endpoint: Endpoint): Json {
  const { method, path, allow, summary, kind } = endpoint
  const isRaw = kind === 'raw'
  const input = jsonSchema(endpoint.input, 'input')
  const inPath = pathParameters(path)
  const properties = isJson(input.properties) ? input.properties : {}
  const required = Array.isArray(input.required) ? input.required : []
  const parameters: Json[] = Object.entries(properties)
    .filter(([key]) => inPath.includes(key) || method !== 'POST' || isRaw)
    .map(([key, schema]) => {
      const place = inPath.includes(key) ? 'path' : 'query'
      return { name: key, in: place, required: place === 'path' || required.includes(key), schema }
    })
  if (isRepeatable(endpoint)) parameters.push(CALL_KEY)
  const hasBody =
    method === 'POST' && !isRaw && (input.type !== 'object' || Object.keys(properties).length > inPath.length)
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    summary,
    description: `Allowed to: ${whoMay(allow)}.`,
    ...(allow === 'anyone' ? {} : { security: [{ bearer: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && {
      requestBody: { required: required.length > 0, content: { [bodyType(endpoint)]: { schema: input } } },
    }),
    ...(isRaw && {
      requestBody: { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
    }),
    responses: {
      [endpoint.isLater ? 202 : 200]: {
        description: 'Success',
        content: { [answerTypes[endpoint.kind]]: { schema: answerSchema(endpoint) } },
      },
      default: {
        description: 'Error',
        content: { 'application/json': { schema: jsonSchema(Refusal, 'output') } },
      },
    },
  }
}

function whoMay(allow: Allow): string {
  if (typeof allow === 'string') {
    const words = {
      anyone: 'anyone',
      session: 'anyone with a token',
      verified: 'anyone signed in',
      member: 'anyone signed in to an organization',
      participant: 'anyone who opened an invitation to an assessment',
    }
    return words[allow]
  }
  return 'anyOf' in allow ? allow.anyOf.map(describe).join(' or ') : describe(allow)
}

function answerSchema({ kind, output }: Endpoint): Json {
  if (kind === 'download' || kind === 'report') return { type: 'string', format: 'binary' }
  if (kind === 'page') return { type: 'string' }
  const data = jsonSchema(output, 'output')
  if (kind === 'probe' || kind === 'stream') return data
  const properties = { status: { const: true }, data, message: { type: 'null' } }
  return { type: 'object', required: ['status', 'data', 'message'], properties }
}

const answerTypes: Record<Kind, string> = {
  json: 'application/json',
  upload: 'application/json',
  raw: 'application/json',
  probe: 'application/json',
  download: 'application/octet-stream',
  report: 'application/octet-stream',
  page: 'text/html',
  stream: 'text/event-stream',
}

function bodyType({ kind }: Endpoint): string {
  return kind === 'upload' ? 'multipart/form-data' : 'application/json'
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

/** Moves recursive schemas to `components`, where OpenAPI expects them, and updates their references. */
function hoist(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((inner) => hoist(inner, schemas))
  if (!isJson(value)) return value
  const { $defs, ...rest } = value
  if (isJson($defs))
    for (const [name, schema] of Object.entries($defs)) schemas[name] = hoist(schema, schemas)
  return Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => {
      if (key !== '$ref' || typeof inner !== 'string') return [key, hoist(inner, schemas)]
      return [key, inner.replace('#/$defs/', '#/components/schemas/')]
    }),
  )
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}
