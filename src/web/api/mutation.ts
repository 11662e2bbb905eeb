import {
  type DefaultError,
  type MutateFunctionRest,
  replaceEqualDeep,
  useMutation as useEveryMutation,
  type UseMutationOptions,
  type UseMutationResult,
} from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

/**
 * A mutation that never makes the same call twice at once: a second click on a button, before it shows that it works, does nothing.
 * With other variables it does run. All writes use this instead of the hook of the library.
 */
export function useMutation<Data = unknown, Failure = DefaultError, Variables = void, Context = unknown>(
  options: UseMutationOptions<Data, Failure, Variables, Context>,
): UseMutationResult<Data, Failure, Variables, Context> {
  const running = useRef<unknown[]>([])
  const { mutationFn, ...others } = options
  const { mutate, ...result } = useEveryMutation<Data, Failure, Variables, Context>({
    ...others,
    ...(mutationFn !== undefined && {
      mutationFn: async (variables: Variables, context: Parameters<typeof mutationFn>[1]) => {
        try {
          return await mutationFn(variables, context)
        } finally {
          running.current = running.current.filter((one) => one !== variables)
        }
      },
    }),
  })
  const once = useCallback(
    (...given: MutateFunctionRest<Data, Failure, Variables, Context>) => {
      const [variables] = given
      if (running.current.some((one) => isSame(one, variables))) return
      running.current = [...running.current, variables]
      mutate(...given)
    },
    [mutate],
  )
  return { ...result, mutate: once }
}

/**
 * Whether two inputs of a call have the same content. Files are the same only if they are the same object. Functions beside texts
 * ("Accept", what it runs) are made again for each click, so the texts alone tell the calls apart.
 */
export function isSame(one: unknown, other: unknown): boolean {
  const data = withoutFunctions(one)
  return replaceEqualDeep(data, withoutFunctions(other)) === data
}

const withoutFunctions = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && Object.getPrototypeOf(input) === Object.prototype
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => typeof value !== 'function'))
    : input
