package flow

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// buildSSA makes the SSA form of one package in a program of its own: a shared
// program could not be built by several passes at once. Other packages are created
// from their types only, and only those that the code mentions: to create the
// whole closure takes longer than to build the package. Should the builder need
// one more after all, it is given all.
func buildSSA(fset *token.FileSet, files []*ast.File, pkg *types.Package, info *types.Info) *ssa.Package {
	if p := tryBuild(fset, files, pkg, info, mentioned(pkg, info)); p != nil {
		return p
	}
	return build(fset, files, pkg, info, closure(pkg))
}

// BuildSSA makes the SSA form as [Run] does, for those who measure what it costs.
func BuildSSA(fset *token.FileSet, files []*ast.File, pkg *types.Package, info *types.Info) *ssa.Package {
	return buildSSA(fset, files, pkg, info)
}

func tryBuild(fset *token.FileSet, files []*ast.File, pkg *types.Package, info *types.Info, others []*types.Package) (p *ssa.Package) {
	defer func() {
		if recover() != nil {
			p = nil
		}
	}()
	return build(fset, files, pkg, info, others)
}

func build(fset *token.FileSet, files []*ast.File, pkg *types.Package, info *types.Info, others []*types.Package) *ssa.Package {
	prog := ssa.NewProgram(fset, ssa.BuilderMode(0))
	for _, p := range others {
		prog.CreatePackage(p, nil, nil, true)
	}
	p := prog.CreatePackage(pkg, files, info, false)
	p.Build()
	return p
}

// mentioned lists the packages of the objects that the code uses, and the direct
// imports, which are initialised.
func mentioned(pkg *types.Package, info *types.Info) []*types.Package {
	seen := map[*types.Package]bool{pkg: true, nil: true}
	var out []*types.Package
	add := func(p *types.Package) {
		if !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	for _, p := range pkg.Imports() {
		add(p)
	}
	for _, obj := range info.Uses {
		add(obj.Pkg())
	}
	for _, s := range info.Selections {
		add(s.Obj().Pkg())
	}
	slices.SortFunc(out, func(a, b *types.Package) int { return cmp.Compare(a.Path(), b.Path()) })
	return out
}

// closure lists all packages that pkg imports, directly or not.
func closure(pkg *types.Package) []*types.Package {
	seen := map[*types.Package]bool{pkg: true}
	var out []*types.Package
	var visit func([]*types.Package)
	visit = func(pkgs []*types.Package) {
		for _, p := range pkgs {
			if !seen[p] {
				seen[p] = true
				out = append(out, p)
				visit(p.Imports())
			}
		}
	}
	visit(pkg.Imports())
	return out
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
