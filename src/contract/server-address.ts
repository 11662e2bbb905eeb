import { z } from 'zod'
import { optionalLine } from './fields.ts'

/** The name or address of a server, in lower case, or null. */
export const ServerHost = optionalLine(253, 'Server').pipe(
  z
    .string()
    .regex(
      /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[?[0-9A-Fa-f:.]+\]?)$/,
      'This is not a valid server name. Enter only the name, such as feeds.example.com.',
    )
    .nullish()
    .transform((host) => host?.toLowerCase() ?? null),
)

/** Null: the default port of the protocol. */
export const ServerPort = z
  .number('Port must be a number.')
  .int('Port must be a whole number.')
  .min(1, 'Port must be at least 1.')
  .max(65_535, 'Port may be at most 65535.')
  .nullable()
