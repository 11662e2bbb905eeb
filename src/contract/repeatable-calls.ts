import type { Endpoint } from './endpoint.ts'

/**
 * The header with a key of the caller's choice, 16 to 64 letters, digits, - or _. A write that is sent again under the same key
 * within an hour, because its answer was lost, is done once and answered as the first time.
 */
export const CALL_KEY_HEADER = 'idempotency-key'

/** Whether a caller may send a write again under a key (`CALL_KEY_HEADER`): writes of JSON within an organization. */
export const isRepeatable = ({ writes, kind, allow }: Endpoint): boolean =>
  writes && kind === 'json' && allow !== 'anyone' && allow !== 'session' && allow !== 'verified'
