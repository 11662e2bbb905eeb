import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { useMayCall } from './use-may-call.ts'

/** A part of a page that reads something of its own: only for users who may read it. */
export function MayCall({ for: endpoint, children }: { for: Endpoint; children: ReactNode }) {
  return useMayCall(endpoint) ? children : null
}
