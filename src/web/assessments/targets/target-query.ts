import { queryOptions } from '@tanstack/react-query'
import { assessmentTargets, type Target } from '#contract/assessments/targets/targets.ts'
import { call } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { readAllPages } from '#web/ui/list/read-all-pages.ts'

/** All targets of an assessment within the user’s reach. There are at most 500. */
export function targetsOf(assessment: string) {
  const options = queryOptions<Target[]>({
    queryKey: [...keyOf(assessmentTargets.list), { assessment, all: true }],
    queryFn: ({ signal }) =>
      readAllPages((page) => call(assessmentTargets.list, { ...page, assessment, sort: 'name' }, { signal })),
  })
  return { ...options, endpoint: assessmentTargets.list }
}
