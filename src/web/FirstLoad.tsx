import { Spinner } from '#web/ui/feedback/Spinner.tsx'

/** Stands where a page is about to come from the network. */
export function FirstLoad() {
  return <Spinner label="Loading" />
}
