package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// buildSSA makes the SSA form of one package in a program of its own: imports are
// created from their types only. A shared program could not be built by several
// passes at once.
func buildSSA(fset *token.FileSet, files []*ast.File, pkg *types.Package, info *types.Info) *ssa.Package {
	prog := ssa.NewProgram(fset, ssa.BuilderMode(0))
	created := make(map[*types.Package]bool)
	var imports func([]*types.Package)
	imports = func(pkgs []*types.Package) {
		for _, p := range pkgs {
			if !created[p] {
				created[p] = true
				prog.CreatePackage(p, nil, nil, true)
				imports(p.Imports())
			}
		}
	}
	imports(pkg.Imports())
	p := prog.CreatePackage(pkg, files, info, false)
	p.Build()
	return p
}

// sourceFuncs lists the functions and methods written in the package, in the
// order of the source; function literals are reached through them.
func sourceFuncs(p *ssa.Package, files []*ast.File, info *types.Info) []*ssa.Function {
	var out []*ssa.Function
	for _, f := range files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			obj, ok := info.Defs[fd.Name].(*types.Func)
			if !ok {
				continue
			}
			if fn := p.Prog.FuncValue(obj); fn != nil && fn.Blocks != nil {
				out = append(out, fn)
			}
		}
	}
	if init := p.Func("init"); init != nil {
		out = append(out, init)
	}
	return out
}

// callStarts maps the parenthesis that SSA gives as a call's position to the
// first character of the call, which is where a reader looks.
func callStarts(files []*ast.File) map[token.Pos]token.Pos {
	m := make(map[token.Pos]token.Pos)
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				m[c.Lparen] = c.Pos()
			}
			return true
		})
	}
	return m
}

// origin is fn, or the generic function that fn instantiates.
func origin(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		return o
	}
	return fn
}

// funcID names a function the same way in every package: the full name of its
// object, and for a literal that of its parent with the literal's ordinal.
func funcID(fn *ssa.Function) string {
	fn = origin(fn)
	if obj, ok := fn.Object().(*types.Func); ok {
		return obj.Origin().FullName()
	}
	if p := fn.Parent(); p != nil {
		return funcID(p) + literalSuffix(fn)
	}
	if fn.Pkg != nil {
		return fn.Pkg.Pkg.Path() + "." + fn.Name()
	}
	return fn.String()
}

func literalSuffix(fn *ssa.Function) string {
	name := fn.Name()
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '$' {
			return name[i:]
		}
	}
	return "$" + name
}

// outermost is the declared function in whose text fn is written.
func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}
