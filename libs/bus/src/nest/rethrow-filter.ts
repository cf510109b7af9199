import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

/**
 * Hands a handler's error on as it is: whether a message is tried again or is dead is decided by its code. Nest itself
 * would turn every error into "Internal server error". `@OnEvent` brings this filter along.
 */
@Catch()
export class RethrowFilter implements RpcExceptionFilter<unknown> {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
