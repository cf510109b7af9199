import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ReinsError } from '@reins/contracts';
import type { FastifyRequest } from 'fastify';
import { ApiKeys, type Caller } from './api-keys.ts';

const CALLERS = new WeakMap<object, Caller>();

/** Admits calls with a valid API key. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly keys: ApiKeys) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const [scheme, key, ...rest] = (request.headers.authorization ?? '').split(' ');
    const caller =
      scheme?.toLowerCase() === 'bearer' && key && rest.length === 0 ? await this.keys.verify(key) : undefined;
    if (!caller) throw unauthorized();
    CALLERS.set(request, caller);
    return true;
  }
}

/** The caller of an admitted call. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = CALLERS.get(request);
  if (!caller) throw unauthorized();
  return caller;
}

const unauthorized = (): ReinsError =>
  new ReinsError({
    code: 'unauthorized',
    message: 'the API key is missing, unknown or revoked',
    path: 'authorization',
    hint: 'Send `Authorization: Bearer <key>`; create a key with `reins keys create`.',
  });
