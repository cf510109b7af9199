import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ReinsError } from '@reins/contracts';
import type { FastifyRequest } from 'fastify';
import { ApiKeys, type Caller } from './api-keys.ts';

const CALLERS = new WeakMap<object, Caller>();

/** Lets a call in that has a valid API key. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(@Inject(ApiKeys) private readonly keys: ApiKeys) {}

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

/** Who makes a call that the guard let in. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = CALLERS.get(request);
  if (!caller) throw unauthorized();
  return caller;
}

const unauthorized = (): ReinsError =>
  new ReinsError({
    code: 'unauthorized',
    message: 'this call needs an API key that is known and not revoked',
    path: 'authorization',
    hint: 'send `Authorization: Bearer <key>`; `reins keys create` makes one',
  });
