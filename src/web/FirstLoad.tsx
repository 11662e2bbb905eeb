import { Spinner } from '#web/ui/feedback/Spinner.tsx'

/** Shown while the code of a page loads. */
export function FirstLoad() {
  return <Spinner label="Loading" />
}
